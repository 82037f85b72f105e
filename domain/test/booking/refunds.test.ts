import { describe, expect, test } from "@jest/globals";
import {
  addBusinessDays,
  amountRefunded,
  type BookingEvent,
  bookingDecider,
  hasFailed,
  isPaid,
  MAX_PARTIAL_REFUNDS,
  paymentOf,
  type RefundPayment,
  refundableAmount,
  refundOf,
} from "../../src/index.ts";
import {
  ACCOUNT,
  CARD_PAYMENT,
  cancelled,
  confirmed,
  created,
  DEPARTS_AT,
  failed,
  given,
  NO_POINTS,
  OTHER_AUTOMATIC_REFUND,
  OTHER_PAYMENT,
  paid,
  paidByTransfer,
  pendingPoints,
  REFUND,
  refundStarted,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
} from "./fixtures.ts";

const at = T0 + 100;
const NOTHING_KEPT = { ...NO_POINTS, keepsLessThanHalf: true } as const;
const SETTLES_AT = addBusinessDays(at, 3);

function refund(amount: number | null, changes: Partial<RefundPayment> = {}): RefundPayment {
  return { type: "RefundPayment", accountId: ACCOUNT, refundId: REFUND, paymentId: CARD_PAYMENT, amount, ...changes };
}

describe("refunding a payment", () => {
  test("everything, unless told how much", () => {
    given(paid())
      .when(refund(null), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer", null, NOTHING_KEPT)]);
    given([...paid(), refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", 500, "other", null, pendingPoints(2_065, 2_060))])
      .when(refund(null, { reason: "fraudulent" }), at)
      .then([
        refundStarted(at, CARD_PAYMENT, REFUND, TOTAL - 500, "fraudulent", null, {
          ...NOTHING_KEPT,
          ...pendingPoints(2_060, 0),
        }),
      ]);
  });

  test("after the hundredth all that is left, in one", () => {
    const parts = Array.from({ length: MAX_PARTIAL_REFUNDS }, (_, index) =>
      refundStarted(T0 + 9, CARD_PAYMENT, `rfd_${index}`, 1, "other"),
    );
    const [left, most] = [TOTAL - MAX_PARTIAL_REFUNDS, MAX_PARTIAL_REFUNDS];
    given([...paid(), ...parts.slice(1)])
      .when(refund(1), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, 1, "requested_by_customer", null, pendingPoints(2_065, 2_064))]);
    given([...paid(), ...parts])
      .when(refund(1), at)
      .thenRejected({ code: "too_many_refunds", facts: { most, refundable: left } });
    given([...paid(), ...parts])
      .when(refund(null), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, left, "requested_by_customer", null, NOTHING_KEPT)]);
  });

  test("a part; a refund that is still pending counts, and the booking stays confirmed", () => {
    given(paid())
      .when(refund(1), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, 1, "requested_by_customer", null, pendingPoints(2_065, 2_064))]);
    const state = given([...paid(), refundStarted(at, CARD_PAYMENT, REFUND, 1, "other")]).state();
    expect(state.status).toBe("confirmed");
    expect(amountRefunded(paymentOf(state, CARD_PAYMENT))).toBe(1);
    expect(refundableAmount(paymentOf(state, CARD_PAYMENT))).toBe(TOTAL - 1);
    expect(refundOf(state, REFUND)).toStrictEqual({
      refundId: REFUND,
      paymentId: CARD_PAYMENT,
      amount: 1,
      currency: "USD",
      reason: "other",
      settlesAt: null,
      createdAt: at,
      status: "pending",
      attempt: 1,
      checks: 0,
      failure: null,
    });
  });

  describe("only while at least half of the total is kept", () => {
    const asked = (amount: number | null) => refund(amount, { onlyKeepingHalf: true });
    const REFUSED = { code: "keeps_less_than_half" as const, facts: { flightId: "flt_1" } };
    const half = refundStarted(at, CARD_PAYMENT, "rfd_0", TOTAL / 2, "requested_by_customer");

    test("half goes back; a cent more, alone or with those before, does not", () => {
      given(paid())
        .when(asked(TOTAL / 2), at)
        .then([
          refundStarted(
            at,
            CARD_PAYMENT,
            REFUND,
            TOTAL / 2,
            "requested_by_customer",
            null,
            pendingPoints(2_065, 1_032),
          ),
        ]);
      given(paid())
        .when(asked(TOTAL / 2 + 1), at)
        .thenRejected(REFUSED);
      given(paid()).when(asked(null), at).thenRejected(REFUSED);
      given([...paid(), half])
        .when(asked(1), at)
        .thenRejected(REFUSED);
    });

    test("what is wrong in itself is said first, and a refund that was made is made", () => {
      given([...paid(), half])
        .when(asked(TOTAL), at)
        .thenRejected({ code: "refund_too_large", facts: { amount: TOTAL, refundable: TOTAL / 2 } });
      given([...paid(), refundStarted(at, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer")])
        .when(asked(null), at)
        .then([]);
    });

    test("does not concern a booking that is cancelled, or whose flight has departed", () => {
      given([...paid(), cancelled(T0 + 10)])
        .when(asked(null), at)
        .then([refundStarted(at, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer", null, NO_POINTS)]);
      const { rejection } = bookingDecider.decide(asked(null), given(paid()).state(), DEPARTS_AT);
      expect(rejection).toBeUndefined();
    });
  });

  describe("that was not started", () => {
    const close = { type: "CloseRefund", refundId: REFUND } as const;
    const closed = { type: "RefundClosed", at, data: { refundId: REFUND } } as const;

    test("is closed once, and never started then; another one is", () => {
      given(paid()).when(close, at).then([closed]);
      const history = [...paid(), closed];
      given(history).when(close, at).then([]);
      given(history).when(refund(1), at).thenRejected("refund_closed");
      const another = bookingDecider.decide(refund(1, { refundId: "rfd_2" }), given(history).state(), at);
      expect(another.rejection).toBeUndefined();
    });

    test("is closed no more once it is", () => {
      given([...paid(), refundStarted(at, CARD_PAYMENT, REFUND, 1, "other")])
        .when(close, at)
        .then([]);
      given([]).when(close, at).thenRejected("booking_not_found");
    });
  });

  test("a booking is paid while at least half of its total is kept, and a duplicate payment changes nothing", () => {
    const half = refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", TOTAL / 2, "other");
    const beyond = refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", TOTAL / 2 + 1, "other");
    const all = refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", TOTAL, "other", null, NO_POINTS);
    const whatIsKept = (...events: readonly BookingEvent[]) => isPaid(given([...paid(), ...events]).state());
    expect([whatIsKept(), whatIsKept(half), whatIsKept(beyond), whatIsKept(all)]).toStrictEqual([
      true,
      true,
      false,
      false,
    ]);
    const late = {
      type: "PaymentStarted",
      at: T0 + 1,
      data: { ...started(T0).data, paymentId: OTHER_PAYMENT },
    } as const;
    given([created(), late, ...paid().slice(1), all])
      .when({ type: "RecordPaymentOutcome", paymentId: OTHER_PAYMENT, outcome: { status: "succeeded" } }, at)
      .then([
        succeeded(at, OTHER_PAYMENT, {}),
        refundStarted(at, OTHER_PAYMENT, OTHER_AUTOMATIC_REFUND, TOTAL, "duplicate"),
      ]);
  });

  test("a booking that costs nothing is paid, one that is not confirmed is not", () => {
    const free = created({ totalAmount: 0, creditApplied: TOTAL });
    expect(isPaid(given([free, confirmed(T0)]).state())).toBe(true);
    expect(isPaid(given([created()]).state())).toBe(false);
    expect(isPaid(given([...paid(), cancelled(T0 + 3)]).state())).toBe(false);
    expect(isPaid(given([]).state())).toBe(false);
  });

  test("the same refund again changes nothing, even when nothing is left", () => {
    given([...paid(), refundStarted(at, CARD_PAYMENT, REFUND, TOTAL, "other")])
      .when(refund(null), at + 1)
      .then([]);
  });

  test("in part, only what the gateway can move; all that is left, and money of transfers, in any case", () => {
    const amountSteps = { USD: 10 };
    given(paid())
      .when(refund(505, { amountSteps }), at)
      .thenRejected({ code: "amount_invalid", facts: { step: 10 } });
    const kept = { ...pendingPoints(2_065, 2_060) };
    given(paid())
      .when(refund(500, { amountSteps }), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, 500, "requested_by_customer", null, kept)]);
    const rest = refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", 5, "other");
    given([...paid(), rest])
      .when(refund(TOTAL - 5, { amountSteps }), at)
      .then([refundStarted(at, CARD_PAYMENT, REFUND, TOTAL - 5, "requested_by_customer", null, NOTHING_KEPT)]);
    given(paidByTransfer())
      .when(refund(505, { amountSteps, paymentId: TRANSFER_PAYMENT }), at)
      .then([
        refundStarted(
          at,
          TRANSFER_PAYMENT,
          REFUND,
          505,
          "requested_by_customer",
          SETTLES_AT,
          pendingPoints(2_065, 2_059),
        ),
      ]);
  });

  test("never more than is left", () => {
    given(paid())
      .when(refund(TOTAL + 1), at)
      .thenRejected({ code: "refund_too_large", facts: { amount: TOTAL + 1, refundable: TOTAL } });
    given([...paid(), refundStarted(T0 + 9, CARD_PAYMENT, "rfd_0", TOTAL, "other")])
      .when(refund(1), at)
      .thenRejected("payment_fully_refunded");
  });

  test("not less than a cent, nor a part of one", () => {
    for (const amount of [0, -5, 0.5]) given(paid()).when(refund(amount), at).thenRejected("amount_invalid");
  });

  test("only of a payment that succeeded", () => {
    given([created(), started(T0 + 1)])
      .when(refund(null), at)
      .thenRejected({ code: "payment_not_succeeded", facts: { status: "pending" } });
    given([created(), started(T0 + 1), failed(T0 + 2, "card_declined")])
      .when(refund(null), at)
      .thenRejected({ code: "payment_not_succeeded", facts: { status: "failed" } });
  });

  test("not of a payment that is not there, or another account's", () => {
    given(paid())
      .when(refund(null, { paymentId: OTHER_PAYMENT }), at)
      .thenRejected("payment_not_found");
    given(paid())
      .when(refund(null, { accountId: "acc_2" }), at)
      .thenRejected("payment_not_found");
    given([]).when(refund(null), at).thenRejected("payment_not_found");
  });

  test("also of a cancelled booking that kept its money", () => {
    given([...paid(), cancelled(DEPARTS_AT - 1)])
      .when(refund(null), DEPARTS_AT + 1)
      .then([refundStarted(DEPARTS_AT + 1, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer", null, NO_POINTS)]);
  });
});

describe("settling a refund", () => {
  const settled = { type: "RefundSucceeded", at: at + 1, data: { refundId: REFUND, paymentId: CARD_PAYMENT } } as const;
  const settle = { type: "SettleRefund", refundId: REFUND } as const;
  const pending = [...paid(), refundStarted(at, CARD_PAYMENT, REFUND, 10, "other")];

  test("happens once", () => {
    given(pending)
      .when(settle, at + 1)
      .then([settled]);
    given([...pending, settled])
      .when(settle, at + 2)
      .then([]);
    expect(refundOf(given([...pending, settled]).state(), REFUND).status).toBe("succeeded");
  });

  test("of a refund nobody started", () => {
    given(paid()).when(settle, at).thenRejected("refund_not_found");
    given([]).when(settle, at).thenRejected("refund_not_found");
  });

  test("a card's waits for its gateway, whatever the clock says", () => {
    given(pending).when({ type: "ExpireBooking" }, DEPARTS_AT).then([]);
  });

  test("a bank transfer's settles by the clock", () => {
    given(paidByTransfer())
      .when(refund(10, { paymentId: TRANSFER_PAYMENT }), at)
      .then([
        refundStarted(
          at,
          TRANSFER_PAYMENT,
          REFUND,
          10,
          "requested_by_customer",
          SETTLES_AT,
          pendingPoints(2_065, 2_064),
        ),
      ]);
    const waiting = [...paidByTransfer(), refundStarted(at, TRANSFER_PAYMENT, REFUND, 10, "other", SETTLES_AT)];
    const bySelf = {
      type: "RefundSucceeded",
      at: SETTLES_AT,
      data: { refundId: REFUND, paymentId: TRANSFER_PAYMENT },
    } as const;
    given(waiting)
      .when({ type: "ExpireBooking" }, SETTLES_AT - 1)
      .then([]);
    given(waiting).when({ type: "ExpireBooking" }, SETTLES_AT).then([bySelf]);
    given(waiting).when(settle, SETTLES_AT).then([bySelf]);
    given(waiting)
      .when(refund(TOTAL, { paymentId: TRANSFER_PAYMENT, refundId: "rfd_2" }), SETTLES_AT)
      .thenRejected("refund_too_large", [bySelf]);
    given(waiting)
      .when(settle, at + 1)
      .then([{ ...bySelf, at: at + 1 }]);
  });
});

describe("a refund that the gateway does not carry out at once", () => {
  const ids = { refundId: REFUND, paymentId: CARD_PAYMENT };
  const pending = [...paid(), refundStarted(at, CARD_PAYMENT, REFUND, 10, "other")];
  const settle = { type: "SettleRefund", refundId: REFUND } as const;
  const retry = { type: "RetryRefund", refundId: REFUND } as const;
  const fail = (attempt: number, reason = "declined") =>
    ({ type: "FailRefund", refundId: REFUND, attempt, reason }) as const;
  const awaited = (checks: number) => ({ type: "RefundAwaited", at, data: { ...ids, checks } }) as const;
  const failedAs = (attempt: number, when = at) =>
    ({ type: "RefundFailed", at: when, data: { ...ids, attempt, reason: "declined" } }) as const;
  const retried = (attempt: number) => ({ type: "RefundRetried", at, data: { ...ids, attempt } }) as const;
  const succeededAt = (when: number) => ({ type: "RefundSucceeded", at: when, data: ids }) as const;

  test("is on its way, as often as the gateway says so", () => {
    given(pending)
      .when({ type: "AwaitRefund", refundId: REFUND }, at)
      .then([awaited(1)]);
    given([...pending, awaited(1)])
      .when({ type: "AwaitRefund", refundId: REFUND }, at)
      .then([awaited(2)]);
    for (const ended of [succeededAt(at), failedAs(1)]) {
      given([...pending, ended])
        .when({ type: "AwaitRefund", refundId: REFUND }, at)
        .then([]);
    }
  });

  test("fails once per attempt, also after it had arrived, and still counts as refunded", () => {
    given(pending)
      .when(fail(1), at)
      .then([failedAs(1)]);
    given([...pending, failedAs(1)])
      .when(fail(1, "other"), at)
      .then([]);
    given([...pending, succeededAt(at)])
      .when(fail(1), at + 1)
      .then([failedAs(1, at + 1)]);
    const state = given([...pending, succeededAt(at), failedAs(1)]).state();
    expect(hasFailed(refundOf(state, REFUND))).toBe(true);
    expect(amountRefunded(paymentOf(state, CARD_PAYMENT))).toBe(10);
  });

  test("may be sent again by an operator, and only where it failed", () => {
    given(pending).when(retry, at).thenRejected("refund_not_failed");
    given([...pending, failedAs(1)])
      .when(retry, at)
      .then([retried(2)]);
    const again = [...pending, awaited(1), failedAs(1), retried(2)];
    expect(refundOf(given(again).state(), REFUND)).toMatchObject({ attempt: 2, checks: 0, status: "pending" });
    expect(hasFailed(refundOf(given(again).state(), REFUND))).toBe(false);
    // The former attempt is told of once more.
    given(again).when(fail(1), at).then([]);
    given(again)
      .when(fail(2), at)
      .then([failedAs(2)]);
  });

  test("may be settled by an operator: nothing that the gateway says later takes that back", () => {
    given([...pending, failedAs(1)])
      .when(settle, at)
      .then([succeededAt(at)]);
    given([...pending, failedAs(1), succeededAt(at)])
      .when(fail(1), at)
      .then([]);
    given([...pending, failedAs(1), succeededAt(at)])
      .when(retry, at)
      .thenRejected("refund_not_failed");
  });

  test("is nothing where nobody started it", () => {
    for (const command of [fail(1), retry, { type: "AwaitRefund", refundId: REFUND } as const]) {
      given(paid()).when(command, at).thenRejected("refund_not_found");
    }
  });
});

describe("a dispute", () => {
  const dispute = { disputeId: "dp_1", amount: 10, currency: "USD", reason: "fraudulent", status: "needs_response" };
  const record = (changes = {}) =>
    ({ type: "RecordDispute", paymentId: CARD_PAYMENT, dispute: { ...dispute, ...changes } }) as const;
  const disputed = (changes = {}) =>
    ({ type: "PaymentDisputed", at, data: { paymentId: CARD_PAYMENT, ...dispute, ...changes } }) as const;

  test("is recorded with every change of it, and once", () => {
    given(paid()).when(record(), at).then([disputed()]);
    given([...paid(), disputed()])
      .when(record(), at)
      .then([]);
    given([...paid(), disputed()])
      .when(record({ status: "lost" }), at)
      .then([disputed({ status: "lost" })]);
    const { disputes } = paymentOf(given([...paid(), disputed(), disputed({ status: "lost" })]).state(), CARD_PAYMENT);
    expect(disputes).toStrictEqual([{ ...dispute, status: "lost" }]);
  });

  test("leaves money and booking alone", () => {
    const [before, after] = [given(paid()).state(), given([...paid(), disputed()]).state()];
    expect(after.status).toBe(before.status);
    expect(refundableAmount(paymentOf(after, CARD_PAYMENT))).toBe(TOTAL);
  });

  test("of a payment that is not there", () => {
    given([created()]).when(record(), at).thenRejected("payment_not_found");
  });
});

describe("business days", () => {
  test.each([
    ["Monday", "2027-01-04T23:59:59.999Z", "2027-01-07T23:59:59.999Z"],
    ["Wednesday", "2027-01-06T00:00:00.000Z", "2027-01-11T00:00:00.000Z"],
    ["Friday", "2027-01-08T12:00:00.000Z", "2027-01-13T12:00:00.000Z"],
    ["Saturday", "2027-01-09T12:00:00.000Z", "2027-01-13T12:00:00.000Z"],
    ["Sunday", "2027-01-10T12:00:00.000Z", "2027-01-13T12:00:00.000Z"],
  ])("three after a %s", (_, from, expected) => {
    expect(new Date(addBusinessDays(Date.parse(from), 3)).toISOString()).toBe(expected);
  });

  test("none is now", () => {
    expect(addBusinessDays(T0, 0)).toBe(T0);
  });
});
