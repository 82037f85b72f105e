import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  type ChargeInLedger,
  chargesTaken,
  differencesOf,
  paymentOf,
  refundsMissingIn,
} from "../../src/index.ts";
import {
  CARD_PAYMENT,
  created,
  failed,
  given,
  paid,
  paidByTransfer,
  REFUND,
  refundStarted,
  started,
  T0,
  TOTAL,
} from "./fixtures.ts";

const at = T0 + 100;
const theirs: ChargeInLedger = {
  gatewayId: "pi_1",
  paymentId: CARD_PAYMENT,
  isSecond: false,
  amount: TOTAL,
  currency: "USD",
  refunds: [],
  disputes: [],
};
const refund = { gatewayId: "re_1", refundId: REFUND, amount: 10, status: "succeeded" };
const dispute = { disputeId: "dp_1", amount: 10, currency: "USD", reason: "general", status: "lost" };
const refunding = [...paid(), refundStarted(at, CARD_PAYMENT, REFUND, 10, "other")];
const arrived: BookingEvent = { type: "RefundSucceeded", at, data: { refundId: REFUND, paymentId: CARD_PAYMENT } };

function kinds(events: readonly BookingEvent[], changes: Partial<ChargeInLedger> = {}) {
  return differencesOf(given(events).state(), { ...theirs, ...changes }).map(({ difference }) => difference);
}

describe("the gateway's ledger beside ours", () => {
  test("agrees, also while something is under way", () => {
    expect(kinds(paid())).toStrictEqual([]);
    expect(kinds([created(), started(T0 + 1)])).toStrictEqual([]);
    expect(kinds(refunding)).toStrictEqual([]);
    expect(kinds(refunding, { refunds: [refund] })).toStrictEqual([]);
    expect(kinds(refunding, { refunds: [{ ...refund, status: "pending" }] })).toStrictEqual([]);
  });

  test.each([
    ["charge_unknown_here", [], {}],
    ["charge_unknown_here", paid(), { paymentId: null }],
    ["charge_unknown_here", paid(), { paymentId: "pay_other" }],
    ["charge_failed_here", [created(), started(T0 + 1), failed(T0 + 2, "processing_error")], {}],
    ["charge_duplicated", paid(), { isSecond: true }],
    ["charge_duplicated", paid(), { isSecond: true, refunds: [{ ...refund, refundId: null }] }],
    ["charge_unknown_here", paid(), { isSecond: true, paymentId: "pay_other" }],
    ["amount_differs", paid(), { amount: 1 }],
    ["amount_differs", paid(), { currency: "EUR" }],
    ["refund_unknown_here", paid(), { refunds: [refund] }],
    ["refund_unknown_here", paid(), { refunds: [{ ...refund, refundId: null }] }],
    ["refund_amount_differs", refunding, { refunds: [{ ...refund, amount: 11 }] }],
    ["dispute", paid(), { disputes: [dispute] }],
  ] as const)("differs: %s", (difference, events, changes) => {
    expect(kinds(events, changes)).toStrictEqual([difference]);
  });

  test("a difference says what either side has", () => {
    expect(differencesOf(given(paid()).state(), { ...theirs, amount: 1 })).toStrictEqual([
      {
        paymentId: CARD_PAYMENT,
        gatewayId: "pi_1",
        difference: "amount_differs",
        ours: { amount: TOTAL, currency: "USD", status: "succeeded" },
        theirs: { amount: 1, currency: "USD" },
      },
    ]);
  });

  test("a second charge that went back is none, and has none of the payment's refunds", () => {
    const second = { isSecond: true, refunds: [{ ...refund, refundId: null, amount: TOTAL }] };
    expect(kinds(paid(), second)).toStrictEqual([]);
    const payment = paymentOf(given([...refunding, arrived]).state(), CARD_PAYMENT);
    expect(refundsMissingIn(payment, { ...theirs, ...second })).toStrictEqual([]);
  });

  test("a dispute that is recorded as it stands is none any more", () => {
    const disputed: BookingEvent = { type: "PaymentDisputed", at, data: { paymentId: CARD_PAYMENT, ...dispute } };
    expect(kinds([...paid(), disputed], { disputes: [dispute] })).toStrictEqual([]);
    expect(kinds([...paid(), disputed], { disputes: [{ ...dispute, status: "won" }] })).toStrictEqual(["dispute"]);
  });

  test("refunds that have arrived here are missed there, but not those that an operator settled", () => {
    const missing = (events: readonly BookingEvent[], changes: Partial<ChargeInLedger> = {}) =>
      refundsMissingIn(paymentOf(given(events).state(), CARD_PAYMENT), { ...theirs, ...changes });
    const failedFirst: BookingEvent = {
      type: "RefundFailed",
      at,
      data: { refundId: REFUND, paymentId: CARD_PAYMENT, attempt: 1, reason: "declined" },
    };
    expect(missing(refunding)).toStrictEqual([]);
    expect(missing([...refunding, arrived])).toStrictEqual([REFUND]);
    expect(missing([...refunding, arrived], { refunds: [refund] })).toStrictEqual([]);
    expect(missing([...refunding, failedFirst, arrived])).toStrictEqual([]);
  });

  test("only charges that took money are looked for there", () => {
    expect(chargesTaken(given(paid()).state()).map(({ paymentId }) => paymentId)).toStrictEqual([CARD_PAYMENT]);
    expect(chargesTaken(given(paidByTransfer()).state())).toStrictEqual([]);
    expect(chargesTaken(given([created(), started(T0 + 1)]).state())).toStrictEqual([]);
    expect(chargesTaken(given([]).state())).toStrictEqual([]);
  });
});
