import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  caseIdOf,
  DAY,
  type ExistingBooking,
  fold,
  HOUR,
  nextEventDueAt,
  type ReceiveTransfer,
  refundsAfterDeparture,
} from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  cancelled,
  confirmed,
  created,
  DEPARTED,
  DEPARTS_AT,
  failed,
  flightCancelled,
  given,
  NO_POINTS,
  OTHER_PAYMENT,
  paid,
  paidByTransfer,
  REFERENCE,
  REFUND,
  received,
  refundStarted,
  returnDue,
  returnOf,
  reversed,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
  transfer,
  transferStarted,
} from "./fixtures.ts";

const at = T0 + HOUR;
const FLOWN = { accountId: ACCOUNT, amount: TOTAL, pending: TOTAL / 100 };

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

describe("taking an entry back", () => {
  const waiting = [created(), transferStarted(T0 + 1)];
  const partly = [...waiting, received(T0 + 2, "e1", 6_500, 6_500)];
  const reverse = (entryId = "e1", cancelBooking = false) =>
    ({ type: "ReverseTransfer", entryId, reason: "mistyped", cancelBooking }) as const;
  const cancelledSo = (moment: number) => cancelled(moment, "requested", "mistyped");

  test("it counts no longer, once", () => {
    given(partly)
      .when(reverse(), at)
      .then([reversed(at, "e1")]);
    const after = [...partly, reversed(at, "e1")];
    expect(given(after).state()).toMatchObject({
      status: "pending",
      payments: [{ status: "pending", entries: [], reversed: [{ entryId: "e1", amount: 6_500, reason: "mistyped" }] }],
    });
    given(after).when(reverse(), at).then([]);
    given(after)
      .when(receive("e2", TOTAL), at)
      .then([received(at, "e2", TOTAL, TOTAL), succeeded(at, TRANSFER_PAYMENT), confirmed(at)]);
    given(partly).when(reverse("e2"), at).thenRejected("entry_not_found");
    given([]).when(reverse(), at).thenRejected("booking_not_found");
  });

  test("it may be received anew once the entry is free, and not before", () => {
    const after = [...partly, reversed(at, "e1")];
    given(after).when(receive("e1", 650_000), at).then([]);
    const anew = { ...received(at, "e1", 7, 7), data: { ...received(at, "e1", 7, 7).data, reversals: 1 } };
    given(after)
      .when(receive("e1", 7, { reversals: 1 }), at)
      .then([anew]);
    given([...after, anew])
      .when(reverse(), at)
      .then([reversed(at, "e1", {}, 2)]);
  });

  test("what of it is due for return is not sent any more; what was sent can't be taken back", () => {
    const foreign = [
      ...waiting,
      received(T0 + 2, "e1", 7, 0, "EUR"),
      returnDue(T0 + 2, "e1", 7, "wrong_currency", "EUR"),
    ];
    given(foreign)
      .when(reverse(), at)
      .then([reversed(at, "e1")]);
    expect(given([...foreign, reversed(at, "e1")]).state()).toMatchObject({ returns: [] });
    given([...foreign, { type: "ReturnSent", at, data: { returnId: returnOf("e1") } }])
      .when(reverse("e1", true), at)
      .thenRejected("entry_sent_back");
  });

  test("one that has paid is taken back with the booking: nothing is sent, and its points fall", () => {
    given(paidByTransfer()).when(reverse(), at).thenRejected("payment_succeeded");
    given(paidByTransfer())
      .when(reverse("e1", true), at)
      .then([reversed(at, "e1", NO_POINTS), failed(at, "booking_cancelled", TRANSFER_PAYMENT), cancelledSo(at)]);
  });

  test("on a cancelled flight that is not answered yet, points spent come back; the flight is read before they are lost", () => {
    const baggage = { redemptionId: "red_1", reward: "extra_baggage" } as const;
    const rewarded: BookingEvent[] = [...paidByTransfer(), { type: "RewardAdded", at: T0 + 5, data: baggage }];
    const changes = [flightCancelled({ policy: "offer", at })];
    const { events: told } = bookingDecider.decide(
      { type: "FollowFlight", flightId: "flt_1", changes },
      fold(bookingDecider, rewarded),
      at,
    );
    const outcome = { caseId: caseIdOf(BOOKING, 1), outcome: "refunded", refundAmount: 0 } as const;
    const ended = (...ends: readonly BookingEvent[]) => [
      reversed(at, "e1", NO_POINTS),
      failed(at, "booking_cancelled", TRANSFER_PAYMENT),
      ...ends,
    ];
    const withPoints = [
      { type: "CaseResolved", at, data: outcome } as const,
      cancelled(at, "requested", "mistyped", { pointsBackTo: ACCOUNT }),
    ];
    given(rewarded)
      .when(reverse("e1", true), at)
      .thenRejected({ code: "flight_unread", facts: { flightId: "flt_1" } });
    given(rewarded)
      .when({ ...reverse("e1", true), changes }, at)
      .then([...told, ...ended(...withPoints)]);
    given([...rewarded, ...told])
      .when({ ...reverse("e1", true), changes: [] }, at)
      .then(ended(...withPoints));
    given(rewarded)
      .when({ ...reverse("e1", true), changes: [] }, at)
      .then(ended(cancelledSo(at)));
  });

  test("what else has paid goes back, also beside what was too much of it; too much alone cancels nothing", () => {
    const inTwo = [
      ...partly,
      received(T0 + 3, "e2", 200_001, 200_000),
      returnDue(T0 + 3, "e2", 1, "excess"),
      succeeded(T0 + 3, TRANSFER_PAYMENT),
      confirmed(T0 + 3),
    ];
    const rest = returnDue(at, "e2", 200_000, "cancelled");
    given(inTwo)
      .when(reverse("e1", true), at)
      .then([
        reversed(at, "e1", NO_POINTS),
        failed(at, "booking_cancelled", TRANSFER_PAYMENT),
        { ...rest, data: { ...rest.data, returnId: `${returnOf("e2")}~2` } },
        cancelledSo(at),
      ]);
    const tooMuch = [...paidByTransfer(), received(T0 + 4, "e9", 30, 0), returnDue(T0 + 4, "e9", 30, "excess")];
    given(tooMuch)
      .when(reverse("e9"), at)
      .then([reversed(at, "e9")]);
  });

  test("not once the payment was refunded in part", () => {
    const refund = refundStarted(T0 + 2, TRANSFER_PAYMENT, REFUND, 5, "requested_by_customer", at + 1);
    given([...paidByTransfer(), refund])
      .when(reverse("e1", true), at)
      .thenRejected("entry_sent_back");
  });

  test("from departure on, points that were earned are reversed; a booking that is cancelled stays so", () => {
    const flown = [...paidByTransfer(), { type: "BookingFlown", at: DEPARTS_AT, data: FLOWN }] as const;
    given(flown)
      .when(reverse("e1", true), DEPARTS_AT)
      .then([
        reversed(DEPARTS_AT, "e1", DEPARTED),
        failed(DEPARTS_AT, "booking_cancelled", TRANSFER_PAYMENT),
        cancelledSo(DEPARTS_AT),
      ]);
    expect(
      refundsAfterDeparture(given([...flown, reversed(DEPARTS_AT, "e1", DEPARTED)]).state() as ExistingBooking),
    ).toStrictEqual(["rev_e1_1"]);
    const late = DEPARTS_AT - HOUR;
    given([...paidByTransfer(), cancelled(late, "requested", null, { keepsPoints: true })])
      .when(reverse("e1", true), late)
      .then([reversed(late, "e1", NO_POINTS), failed(late, "booking_cancelled", TRANSFER_PAYMENT)]);
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
