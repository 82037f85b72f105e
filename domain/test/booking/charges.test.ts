import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  DAY,
  HOUR,
  MAX_PAYMENTS,
  paymentOf,
  pendingCharges,
  type RecordPaymentOutcome,
} from "../../src/index.ts";
import {
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  create,
  created,
  DEPARTS_AT,
  failed,
  given,
  OTHER_AUTOMATIC_REFUND,
  OTHER_PAYMENT,
  paid,
  paidByTransfer,
  pay,
  received,
  refundStarted,
  returnDue,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
  transfer,
  transferStarted,
} from "./fixtures.ts";

const at = T0 + HOUR;

function took(paymentId = CARD_PAYMENT): RecordPaymentOutcome {
  return { type: "RecordPaymentOutcome", paymentId, outcome: { status: "succeeded" } };
}

function declined(failureCode = "card_declined", paymentId = CARD_PAYMENT): RecordPaymentOutcome {
  return { type: "RecordPaymentOutcome", paymentId, outcome: { status: "failed", failureCode } };
}

describe("starting a charge", () => {
  test("records the intent over the total", () => {
    given([created()])
      .when(pay(), at)
      .then([started(at)]);
    const state = given([created(), started(at)]).state();
    expect(pendingCharges(state)).toStrictEqual([paymentOf(state, CARD_PAYMENT)]);
    expect(paymentOf(state, CARD_PAYMENT)).toStrictEqual({
      ...started(at).data,
      createdAt: at,
      status: "pending",
      failureCode: null,
      refunds: [],
      entries: [],
      disputes: [],
    });
  });

  test("ends with the twentieth, failed ones included; what was begun goes on", () => {
    const all = Array.from({ length: MAX_PAYMENTS }, (_, index) => `pay_${index}`).flatMap((id) => [
      started(T0 + 1, id),
      failed(T0 + 2, "card_declined", id),
    ]);
    given([created(), ...all.slice(2)])
      .when(pay("pay_0"), at)
      .then([started(at, "pay_0")]);
    given([created(), ...all])
      .when(pay("pay_more"), at)
      .thenRejected("too_many_payments");
    given([created(), ...all])
      .when(transfer(), at)
      .thenRejected("too_many_payments");
    given([created(), ...all])
      .when(pay("pay_0"), at)
      .then([]);
    const withdrawn: BookingEvent = { type: "PaymentWithdrawn", at: T0 + 3, data: { paymentId: "pay_w" } };
    given([created(), ...all.slice(2), started(T0 + 3, "pay_w"), withdrawn])
      .when(pay("pay_0"), at)
      .thenRejected("too_many_payments");
  });

  test("the same payment again changes nothing, even when it has been paid or cancelled since", () => {
    given([created(), started(T0 + 1)])
      .when(pay(), at)
      .then([]);
    given(paid()).when(pay(), at).then([]);
    given([created(), started(T0 + 1), cancelled(T0 + 2)])
      .when(pay(), at)
      .then([]);
  });

  test.each<[string, readonly BookingEvent[]]>([
    ["booking_not_found", []],
    ["booking_cancelled", [created(), cancelled(T0 + 1)]],
    ["already_paid", paid()],
    ["already_paid", paidByTransfer()],
    ["payment_in_progress", [created(), started(T0 + 1)]],
  ])("%s", (code, events) => {
    given(events)
      .when(pay(OTHER_PAYMENT), at)
      .thenRejected(code as never);
  });

  test("not for another account", () => {
    given([created()])
      .when({ ...pay(), accountId: "acc_2" }, at)
      .thenRejected("booking_not_found");
  });

  test("after a failure there is another try", () => {
    given([created(), started(T0 + 1), failed(T0 + 2, "card_declined")])
      .when(pay(OTHER_PAYMENT), at)
      .then([started(at, OTHER_PAYMENT)]);
  });

  test("a pending bank transfer does not stand in its way", () => {
    given([created(), transferStarted(T0 + 1)])
      .when(pay(), at)
      .then([started(at)]);
  });

  test("a booking past its expiry is cancelled first, and the charge refused", () => {
    given([created()])
      .when(pay(), T0 + DAY)
      .thenRejected("booking_cancelled", [cancelled(T0 + DAY, "expired")]);
    given([created()])
      .when(pay(), T0 + DAY - 1)
      .then([started(T0 + DAY - 1)]);
  });

  test("not after departure, though an open charge has kept the booking alive", () => {
    const departing = created({ departsAt: T0 + HOUR, expiresAt: T0 + HOUR });
    given([departing, started(T0 + 1)])
      .when(pay(OTHER_PAYMENT), at)
      .thenRejected("flight_departed");
    given([departing, started(T0 + 1)])
      .when(transfer(), at)
      .thenRejected("flight_departed");
  });
});

describe("the outcome of a charge", () => {
  const open = [created(), started(T0 + 1)];

  test("success pays and confirms", () => {
    given(open)
      .when(took(), at)
      .then([succeeded(at), confirmed(at)]);
    expect(given(paid(at)).state()).toMatchObject({ status: "confirmed", confirmedAt: at });
  });

  test("failure leaves the booking pending", () => {
    given(open)
      .when(declined("insufficient_funds"), at)
      .then([failed(at, "insufficient_funds")]);
    expect(given([...open, failed(at, "insufficient_funds")]).state()).toMatchObject({
      status: "pending",
      payments: [{ status: "failed", failureCode: "insufficient_funds" }],
    });
  });

  test("a code nobody knows is a processing error", () => {
    given(open)
      .when(declined("gremlins"), at)
      .then([failed(at, "processing_error")]);
  });

  test("the first one stands", () => {
    given(paid()).when(took(), at).then([]);
    given(paid()).when(declined(), at).then([]);
    given([...open, failed(T0 + 2, "card_declined")])
      .when(declined(), at)
      .then([]);
  });

  test.each([
    ["other", []],
    ["duplicate", [started(T0 + 3, OTHER_PAYMENT), succeeded(T0 + 4, OTHER_PAYMENT), confirmed(T0 + 4)]],
    ["booking_cancelled", [cancelled(T0 + 3)]],
  ] as const)("a success after a failure: the money goes back in full (%s)", (reason, meanwhile) => {
    given([...open, failed(T0 + 2, "processing_error"), ...meanwhile])
      .when(took(), at)
      .then([succeeded(at, CARD_PAYMENT, {}), refundStarted(at, CARD_PAYMENT, CARD_REFUND, TOTAL, reason)]);
  });

  test("details that the gateway tells with it replace those of the token, of the same kind only", () => {
    const card = { brand: "amex", last4: "0005", expMonth: 1, expYear: 2031 };
    const outcome = { status: "succeeded", details: { type: "card", card } } as const;
    const learned = { ...succeeded(at), data: { ...succeeded(at).data, details: outcome.details } };
    given(open)
      .when({ ...took(), outcome }, at)
      .then([learned, confirmed(at)]);
    expect(paymentOf(given([...open, learned]).state(), CARD_PAYMENT).method).toMatchObject({ type: "card", card });
    const wallet = { type: "wallet", wallet: { type: "paypal" } } as const;
    const other = { ...learned, data: { ...learned.data, details: wallet } };
    expect(paymentOf(given([...open, other]).state(), CARD_PAYMENT).method).toStrictEqual(started(at).data.method);
  });

  test("of a payment nobody started, and of a bank transfer", () => {
    given([created()]).when(took(), at).thenRejected("payment_not_found");
    given([]).when(took(), at).thenRejected("payment_not_found");
    given([created(), transferStarted(T0 + 1)])
      .when(took(TRANSFER_PAYMENT), at)
      .thenRejected("payment_not_found");
  });

  test("success supersedes a bank transfer, after the confirmation", () => {
    given([created(), transferStarted(T0 + 1), received(T0 + 2, "e1", 70, 70), started(T0 + 3)])
      .when(took(), at)
      .then([
        succeeded(at),
        confirmed(at),
        failed(at, "superseded", TRANSFER_PAYMENT),
        returnDue(at, "e1", 70, "superseded"),
      ]);
  });

  test("success on a cancelled booking is given back in full, however late", () => {
    for (const late of [T0 + 5, DEPARTS_AT - 1, DEPARTS_AT + DAY]) {
      given([...open, cancelled(T0 + 4)])
        .when(took(), late)
        .then([
          succeeded(late, CARD_PAYMENT, {}),
          refundStarted(late, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled"),
        ]);
    }
  });

  test("failure on a cancelled booking keeps its own code", () => {
    given([...open, cancelled(T0 + 4)])
      .when(declined(), at)
      .then([failed(at, "card_declined")]);
  });

  test("success on a booking paid meanwhile is a duplicate", () => {
    given([
      created(),
      transferStarted(T0 + 1),
      started(T0 + 2, OTHER_PAYMENT),
      received(T0 + 3, "e1", TOTAL, TOTAL),
      succeeded(T0 + 3, TRANSFER_PAYMENT),
      confirmed(T0 + 3),
    ])
      .when(took(OTHER_PAYMENT), at)
      .then([
        succeeded(at, OTHER_PAYMENT, {}),
        refundStarted(at, OTHER_PAYMENT, OTHER_AUTOMATIC_REFUND, TOTAL, "duplicate"),
      ]);
  });
});

describe("a charge that is open when the booking's time is over", () => {
  const open = [created(), started(T0 + DAY - 1)];
  const late = T0 + DAY + HOUR;

  test("keeps it from expiring", () => {
    given(open).when({ type: "ExpireBooking" }, late).then([]);
  });

  test("success still confirms: it was begun in time", () => {
    given(open)
      .when(took(), late)
      .then([succeeded(late), confirmed(late)]);
  });

  test("failure lets it expire in the same decision", () => {
    given(open)
      .when(declined("processing_error"), late)
      .then([failed(late, "processing_error"), cancelled(late, "expired")]);
  });

  test("success after departure has nothing left to pay for", () => {
    given(open)
      .when(took(), DEPARTS_AT)
      .then([
        cancelled(DEPARTS_AT, "expired"),
        succeeded(DEPARTS_AT, CARD_PAYMENT, {}),
        refundStarted(DEPARTS_AT, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled"),
      ]);
  });

  test("a bank transfer beside it falls due all the same", () => {
    const due = T0 + 3 * DAY;
    const both = [created(), transferStarted(T0), received(T0 + 1, "e1", 70, 70), started(due - 1)];
    const lapsed = [failed(due, "bank_transfer_expired", TRANSFER_PAYMENT), returnDue(due, "e1", 70, "expired")];
    given(both).when({ type: "ExpireBooking" }, due).then(lapsed);
    given([...both, ...lapsed])
      .when(took(), due + 1)
      .then([succeeded(due + 1), confirmed(due + 1)]);
    given([...both, ...lapsed])
      .when(declined(), due + 1)
      .then([failed(due + 1, "card_declined"), cancelled(due + 1, "transfer_expired")]);
    given(both)
      .when(declined(), due)
      .then([...lapsed, failed(due, "card_declined"), cancelled(due, "transfer_expired")]);
  });

  test("creating again is recognised though the booking expires in that moment", () => {
    given([created()])
      .when(create(), late)
      .then([cancelled(late, "expired")]);
  });
});
