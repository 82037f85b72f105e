import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingOf,
  cancellationQuote,
  DAY,
  expiresAtOf,
  HOUR,
  isPastExpiry,
  MINUTE,
} from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  create,
  created,
  DEPARTS_AT,
  failed,
  given,
  NO_POINTS,
  paid,
  paidByTransfer,
  pendingPoints,
  REFUND,
  received,
  refundStarted,
  returnDue,
  started,
  T0,
  TOTAL,
  TRANSFER_AUTOMATIC_REFUND,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./fixtures.ts";

const ABANDONED = { type: "BookingAbandoned", at: T0, data: { bookingId: BOOKING } } as const;

describe("creating a booking", () => {
  test("the total is fares plus surcharges, and it waits a day for payment", () => {
    given([])
      .when(create(), T0)
      .then([created({ totalAmount: 2 * 100_000 + 6_500, expiresAt: T0 + DAY })]);
  });

  test("without seats only the fares count", () => {
    given([])
      .when(create({ seats: [], surcharges: [] }), T0)
      .then([created({ seats: [], surcharges: [], totalAmount: 200_000 })]);
  });

  test("credit lowers the total", () => {
    given([])
      .when(create({ creditApplied: 10_000 }), T0)
      .then([created({ creditApplied: 10_000, totalAmount: TOTAL - 10_000 })]);
  });

  test("no more credit is used than the price; nothing to pay confirms at once", () => {
    given([])
      .when(create({ creditApplied: TOTAL + 1 }), T0)
      .then([created({ creditApplied: TOTAL, totalAmount: 0, expiresAt: null }), confirmed(T0)]);
  });

  test("a booking that is free is confirmed at once", () => {
    given([])
      .when(create({ fareAmount: 0, surcharges: [0, 0] }), T0)
      .then([created({ fareAmount: 0, surcharges: [0, 0], totalAmount: 0, expiresAt: null }), confirmed(T0)]);
  });

  test("the same again changes nothing, whatever the status by then", () => {
    given([created()])
      .when(create(), T0 + 5)
      .then([]);
    given(paid())
      .when(create(), T0 + 5)
      .then([]);
  });

  test("an id that is another account's", () => {
    given([created()])
      .when(create({ accountId: "acc_2" }), T0 + 5)
      .thenRejected("booking_exists");
  });

  test("a closed stream creates nothing any more", () => {
    given([ABANDONED])
      .when(create(), T0 + 5)
      .thenRejected("booking_abandoned");
  });

  test("seats are one per passenger or none", () => {
    given([])
      .when(create({ seats: ["10A"], surcharges: [0] }), T0)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } });
  });

  test("with metadata, without pairs that have no value, and twenty keys at most", () => {
    const pairs = Array.from({ length: 21 }, (_, index) => [`k${index}`, index === 0 ? "" : "v"] as const);
    given([])
      .when(create({ metadata: pairs }), T0)
      .then([created({ metadata: pairs.slice(1) })]);
    given([])
      .when(create({ metadata: [...pairs, ["one", "more"]] }), T0)
      .thenRejected("too_much_metadata");
    given([])
      .when(create({ metadata: [["k", ""]] }), T0)
      .then([created()]);
  });

  test("not on a flight that has departed", () => {
    given([]).when(create(), DEPARTS_AT).thenRejected("flight_departed");
    given([])
      .when(create(), DEPARTS_AT - 1)
      .then([created({ expiresAt: DEPARTS_AT }, DEPARTS_AT - 1)]);
  });

  test("the state knows who, what and until when", () => {
    const state = given([created()]).state();
    expect(state).toStrictEqual({
      status: "pending",
      ...created().data,
      createdAt: T0,
      creditClaimed: 0,
      payments: [],
      returns: [],
      changesApplied: [],
      changesClosed: [],
      documents: [],
      uploadsClosed: [],
      rewards: [],
      redemptionsClosed: [],
      pendingPoints: 0,
      flown: false,
    });
    expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
    expect(isPastExpiry(state, T0 + DAY - 1)).toBe(false);
    expect(isPastExpiry(state, T0 + DAY)).toBe(true);
  });
});

describe("abandoning a booking", () => {
  const abandon = { type: "AbandonBooking", bookingId: BOOKING } as const;

  test("closes a stream nothing was created in", () => {
    given([]).when(abandon, T0).then([ABANDONED]);
  });

  test("twice is a no-op", () => {
    given([ABANDONED])
      .when(abandon, T0 + 1)
      .then([]);
  });

  test("is refused once the booking exists", () => {
    given([created()])
      .when(abandon, T0 + 1)
      .thenRejected("booking_exists");
  });

  test("nothing else is found in a closed stream", () => {
    given([ABANDONED])
      .when({ type: "CancelBooking", accountId: ACCOUNT, reason: null }, T0 + 1)
      .thenRejected("booking_not_found");
  });
});

describe("when an unpaid booking expires", () => {
  test.each([
    ["a day after it was made", 30 * DAY, DAY],
    ["two hours before departure, if that is sooner", 20 * HOUR, 18 * HOUR],
    ["but not sooner than a quarter of an hour", 2 * HOUR + 5 * MINUTE, 15 * MINUTE],
    ["not even where two hours before departure is past", HOUR, 15 * MINUTE],
    ["and never after departure", 10 * MINUTE, 10 * MINUTE],
    ["a day exactly, at 26 hours before departure", 26 * HOUR, DAY],
  ])("%s", (_, untilDeparture, expected) => {
    expect(expiresAtOf(T0, T0 + untilDeparture) - T0).toBe(expected);
  });
});

const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: "ill" } as const;
const at = T0 + HOUR;

describe("cancelling a booking", () => {
  test("an unpaid one", () => {
    given([created()])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("twice is a no-op that keeps the first reason", () => {
    given([created(), cancelled(at)])
      .when(cancel, at + 1)
      .then([]);
    expect(given([created(), cancelled(at, "requested", "ill")]).state()).toMatchObject({
      status: "cancelled",
      cancelledAt: at,
      cause: "requested",
      reason: "ill",
      seats: ["10A", "10B"],
    });
  });

  test("another account's booking, or none", () => {
    given([created()])
      .when({ ...cancel, accountId: "acc_2" }, at)
      .thenRejected("booking_not_found");
    given([]).when(cancel, at).thenRejected("booking_not_found");
  });

  test("24 hours before departure what was paid goes back", () => {
    const late = DEPARTS_AT - 24 * HOUR;
    given(paid())
      .when(cancel, late)
      .then([
        cancelled(late, "requested", "ill"),
        refundStarted(late, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled", null, NO_POINTS),
      ]);
  });

  test("later nothing does, and after departure neither, once the flight was read", () => {
    for (const late of [DEPARTS_AT - 24 * HOUR + 1, DEPARTS_AT, DEPARTS_AT + HOUR]) {
      const unread = { code: "flight_unread", facts: { flightId: "flt_1" } } as const;
      given(paid()).when(cancel, late).thenRejected(unread);
      given(paid())
        .when({ ...cancel, changes: [] }, late)
        .then([cancelled(late, "requested", "ill", { keepsPoints: true })]);
    }
  });

  test("only what remains is refunded", () => {
    given([...paid(), refundStarted(T0 + 5, CARD_PAYMENT, REFUND, 6_500, "other", null, pendingPoints(2_065, 2_000))])
      .when(cancel, at)
      .then([
        cancelled(at, "requested", "ill"),
        refundStarted(at, CARD_PAYMENT, CARD_REFUND, 200_000, "booking_cancelled", null, pendingPoints(2_000, 0)),
      ]);
    given([...paid(), refundStarted(T0 + 5, CARD_PAYMENT, REFUND, TOTAL, "other")])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("a bank transfer's refund settles after three business days", () => {
    given(paidByTransfer())
      .when(cancel, at)
      .then([
        cancelled(at, "requested", "ill"),
        refundStarted(
          at,
          TRANSFER_PAYMENT,
          TRANSFER_AUTOMATIC_REFUND,
          TOTAL,
          "booking_cancelled",
          Date.parse("2027-01-06T11:00:00Z"),
          NO_POINTS,
        ),
      ]);
  });

  test("a pending bank transfer fails first, and its partial money is owed back, entry by entry", () => {
    given([
      created(),
      transferStarted(T0 + 1),
      received(T0 + 2, "e1", 100, 100),
      received(T0 + 3, "e2", 900, 0, "EUR"),
      returnDue(T0 + 3, "e2", 900, "wrong_currency", "EUR"),
      received(T0 + 4, "e3", 50, 50),
    ])
      .when(cancel, at)
      .then([
        failed(at, "booking_cancelled", TRANSFER_PAYMENT),
        returnDue(at, "e1", 100, "cancelled"),
        returnDue(at, "e3", 50, "cancelled"),
        cancelled(at, "requested", "ill"),
      ]);
  });

  test("a charge under way stays open", () => {
    given([created(), started(T0 + 1)])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("a booking past its expiry has expired, not been cancelled", () => {
    const late = T0 + 24 * HOUR;
    given([created()])
      .when(cancel, late)
      .then([cancelled(late, "expired")]);
  });
});

describe("what a cancellation would give back", () => {
  const quote = (events: readonly BookingEvent[], when = at) => {
    const booking = bookingOf(given(events).state(), ACCOUNT);
    return booking && cancellationQuote(booking, when);
  };
  const nothing = { refundAmount: 0, credit: 0 };
  const withCredit = created({ creditApplied: 10_000, totalAmount: TOTAL - 10_000, expiresAt: DEPARTS_AT });

  test("is what remains of payments, until 24 hours before departure", () => {
    const refunded = [...paid(), refundStarted(T0 + 5, CARD_PAYMENT, REFUND, 6_500, "other")];
    expect(quote(refunded, DEPARTS_AT - 24 * HOUR)).toStrictEqual({ refundAmount: 200_000, credit: 0 });
    expect(quote(refunded, DEPARTS_AT - 24 * HOUR + 1)).toStrictEqual(nothing);
  });

  test("is the credit of an unpaid booking", () => {
    expect(quote([withCredit, started(T0 + 1)])).toStrictEqual({ refundAmount: 0, credit: 10_000 });
    expect(quote([withCredit], DEPARTS_AT - 24 * HOUR + 1)).toStrictEqual(nothing);
  });

  test("is nothing once it is cancelled", () => {
    expect(quote([withCredit, cancelled(at)])).toStrictEqual(nothing);
  });
});
