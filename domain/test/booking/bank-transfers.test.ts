import { describe, expect, test } from "@jest/globals";
import { DAY, HOUR, nextEventDueAt, type ReceiveTransfer } from "../../src/index.ts";
import {
  cancelled,
  confirmed,
  created,
  DEPARTS_AT,
  failed,
  given,
  OTHER_PAYMENT,
  paid,
  paidByTransfer,
  REFERENCE,
  received,
  returnDue,
  returnOf,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
  transfer,
  transferStarted,
} from "./fixtures.ts";

const at = T0 + HOUR;

function receive(entryId: string, amount: number, changes: Partial<ReceiveTransfer> = {}): ReceiveTransfer {
  return { type: "ReceiveTransfer", entryId, reference: REFERENCE, amount, currency: "USD", ...changes };
}

describe("starting a bank transfer", () => {
  test("it is due in 72 hours, and the booking waits for it", () => {
    given([created()])
      .when(transfer(), at)
      .then([transferStarted(at, at + 72 * HOUR)]);
    const state = given([created(), transferStarted(at)]).state();
    expect(state).toMatchObject({ status: "pending", expiresAt: at + 72 * HOUR });
    expect(nextEventDueAt(state)).toBe(at + 72 * HOUR);
  });

  test("or 24 hours before departure, if that is sooner", () => {
    const soon = created({ departsAt: at + 48 * HOUR });
    given([soon])
      .when(transfer(), at)
      .then([transferStarted(at, at + 24 * HOUR)]);
  });

  test("not less than 48 hours before departure", () => {
    given([created({ departsAt: at + 48 * HOUR - 1 })])
      .when(transfer(), at)
      .thenRejected("transfer_too_late");
  });

  test("one at a time", () => {
    given([created(), transferStarted(T0 + 1)])
      .when(transfer(OTHER_PAYMENT), at)
      .thenRejected("transfer_pending");
    given([created(), transferStarted(T0 + 1)])
      .when(transfer(), at)
      .then([]);
  });

  test("not beside an open charge, nor for a booking that is paid or cancelled", () => {
    given([created(), started(T0 + 1)])
      .when(transfer(), at)
      .thenRejected("payment_in_progress");
    given(paid()).when(transfer(), at).thenRejected("already_paid");
    given([created(), cancelled(T0 + 1)])
      .when(transfer(), at)
      .thenRejected("booking_cancelled");
    given([created()])
      .when({ ...transfer(), accountId: "acc_2" }, at)
      .thenRejected("booking_not_found");
  });
});

describe("money on the bank account", () => {
  const waiting = [created(), transferStarted(T0 + 1)];
  const partly = [...waiting, received(T0 + 2, "e1", 6_500, 6_500)];

  test("all of it pays and confirms", () => {
    given(waiting)
      .when(receive("e1", TOTAL), at)
      .then([received(at, "e1", TOTAL, TOTAL), succeeded(at, TRANSFER_PAYMENT), confirmed(at)]);
  });

  test("a part waits for the rest", () => {
    given(waiting)
      .when(receive("e1", 6_500), at)
      .then([received(at, "e1", 6_500, 6_500)]);
    given(partly)
      .when(receive("e2", 199_999), at)
      .then([received(at, "e2", 199_999, 199_999)]);
    given(partly)
      .when(receive("e2", 200_000), at)
      .then([received(at, "e2", 200_000, 200_000), succeeded(at, TRANSFER_PAYMENT), confirmed(at)]);
  });

  test("what is too much is owed back", () => {
    given(partly)
      .when(receive("e2", 200_001), at)
      .then([
        received(at, "e2", 200_001, 200_000),
        returnDue(at, "e2", 1, "excess"),
        succeeded(at, TRANSFER_PAYMENT),
        confirmed(at),
      ]);
  });

  test("the same entry counts once", () => {
    given(partly).when(receive("e1", 6_500), at).then([]);
    given(paidByTransfer()).when(receive("e1", TOTAL), at).then([]);
  });

  test.each<Partial<ReceiveTransfer>>([{ amount: 6_501 }, { currency: "EUR" }, { reference: "RF712348231" }])(
    "the same entry with %j is refused",
    (change) => {
      given(partly)
        .when({ ...receive("e1", 6_500), ...change }, at)
        .thenRejected("entry_differs");
    },
  );

  test("another currency is owed back whole", () => {
    given(partly)
      .when(receive("e2", 200_000, { currency: "EUR" }), at)
      .then([received(at, "e2", 200_000, 0, "EUR"), returnDue(at, "e2", 200_000, "wrong_currency", "EUR")]);
  });

  test("not for a reference of another booking, nor without an amount", () => {
    given(waiting)
      .when(receive("e1", 5, { reference: "RF471" }), at)
      .thenRejected("transfer_not_found");
    given([created()]).when(receive("e1", 5), at).thenRejected("transfer_not_found");
    given([]).when(receive("e1", 5), at).thenRejected("booking_not_found");
    for (const amount of [0, -1, 1.5, Number.NaN]) {
      given(waiting).when(receive("e1", amount), at).thenRejected("amount_invalid");
    }
  });

  test("money that comes after the payment is settled is owed back, and says why", () => {
    const superseded = [
      ...waiting,
      started(T0 + 2),
      succeeded(T0 + 3),
      confirmed(T0 + 3),
      failed(T0 + 3, "superseded", TRANSFER_PAYMENT),
    ];
    const gone = [...waiting, failed(T0 + 2, "booking_cancelled", TRANSFER_PAYMENT), cancelled(T0 + 2)];
    const expired = [
      ...waiting,
      failed(T0 + 2, "bank_transfer_expired", TRANSFER_PAYMENT),
      cancelled(T0 + 2, "transfer_expired"),
    ];
    for (const [events, cause] of [
      [paidByTransfer(), "excess"],
      [superseded, "superseded"],
      [gone, "cancelled"],
      [expired, "late"],
    ] as const) {
      given(events)
        .when(receive("e9", 30), at)
        .then([received(at, "e9", 30, 0), returnDue(at, "e9", 30, cause)]);
    }
  });

  test("at its due time it is late, though no timer has fired", () => {
    const due = T0 + 1 + 3 * DAY;
    given(partly)
      .when(receive("e2", 200_000), due)
      .then([
        failed(due, "bank_transfer_expired", TRANSFER_PAYMENT),
        returnDue(due, "e1", 6_500, "expired"),
        cancelled(due, "transfer_expired"),
        received(due, "e2", 200_000, 0),
        returnDue(due, "e2", 200_000, "late"),
      ]);
    given(partly)
      .when(receive("e2", 200_000), due - 1)
      .then([received(due - 1, "e2", 200_000, 200_000), succeeded(due - 1, TRANSFER_PAYMENT), confirmed(due - 1)]);
  });

  test("a charge under way does not stop it from paying", () => {
    given([...waiting, started(T0 + 2)])
      .when(receive("e1", TOTAL), at)
      .then([received(at, "e1", TOTAL, TOTAL), succeeded(at, TRANSFER_PAYMENT), confirmed(at)]);
  });
});

describe("a return", () => {
  const owed = [
    created(),
    transferStarted(T0 + 1),
    received(T0 + 2, "e1", 7, 0, "EUR"),
    returnDue(T0 + 2, "e1", 7, "wrong_currency", "EUR"),
  ];
  const send = { type: "MarkReturnSent", returnId: returnOf("e1") } as const;
  const sent = { type: "ReturnSent", at, data: { returnId: returnOf("e1") } } as const;

  test("is sent once", () => {
    given(owed).when(send, at).then([sent]);
    given([...owed, sent])
      .when(send, at + 1)
      .then([]);
    expect(given([...owed, sent]).state()).toMatchObject({ returns: [{ amount: 7, currency: "EUR", status: "sent" }] });
  });

  test("that nobody is owed", () => {
    given(owed)
      .when({ ...send, returnId: returnOf("e2") }, at)
      .thenRejected("return_not_found");
    given([]).when(send, at).thenRejected("return_not_found");
  });

  test("is still sent after departure", () => {
    given([...owed, failed(T0 + 3, "booking_cancelled", TRANSFER_PAYMENT), cancelled(T0 + 3)])
      .when(send, DEPARTS_AT + DAY)
      .then([{ ...sent, at: DEPARTS_AT + DAY }]);
  });
});
