import { describe, expect, test } from "@jest/globals";
import { DAY, expiresAtOf, HOUR, isPastExpiry, MINUTE } from "../../src/index.ts";
import { ACCOUNT, BOOKING, confirmed, create, created, DEPARTS_AT, given, paid, T0, TOTAL } from "./fixtures.ts";

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
