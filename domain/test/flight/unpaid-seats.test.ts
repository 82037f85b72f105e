import { describe, expect, test } from "@jest/globals";
import {
  type AllocateSeats,
  bookingsNotKnownPaid,
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  type HoldSeats,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  economy,
  expired,
  held,
  holdReleased,
  LATER,
  NOW,
  plan,
  reserved,
} from "./sample-flight.ts";

const given = specification(flightDecider);

/** Economy has 60 seats, 10A to 19F, of which 19E and 19F are blocked; business has 54, 1A to 9F. */
const scheduled: FlightEvent = {
  type: "FlightScheduled",
  at: NOW,
  data: {
    ...plan,
    cabins: [
      { ...economy, layout: "ABC DEF", rows: [10, 19], blocked: ["19E", "19F"], exitRows: [], surcharges: [] },
      { ...economy, cabin: "business", layout: "ABC DEF", rows: [1, 9], blocked: [], exitRows: [], surcharges: [] },
    ],
  },
};

const ROW = (row: number, seats = "ABCDEF") => [...seats].map((column) => `${row}${column}`);
const booked = (bookingId: string, passengers: number, about: object = {}) =>
  allocated(bookingId, { passengers, surcharges: [], ...about });
const hold = (seats: readonly string[], about: Partial<HoldSeats> = {}): HoldSeats => ({
  type: "HoldSeats",
  holdId: "hld_new",
  accountId: "acc_1",
  seats,
  unpaidSeatsPercent: 20,
  ...about,
});
const book = (passengers: number, about: Partial<AllocateSeats> = {}): AllocateSeats => ({
  type: "AllocateSeats",
  bookingId: "bkg_new",
  accountId: "acc_1",
  cabin: "economy",
  passengers,
  seats: [],
  holdId: null,
  unpaidSeatsPercent: 20,
  ...about,
});
const paid = (...bookingIds: string[]): FlightEvent => ({
  type: "SeatsPaid",
  at: NOW,
  data: { bookingIds, revocable: true },
});
const refunded = (bookingId: string, at = NOW, refundId = "rfd_1"): FlightEvent => ({
  type: "SeatsRefunded",
  at,
  data: { bookingId, refundId },
});
const exceeded = (most: number, cabin = "economy") => ({
  code: "quota_exceeded" as const,
  facts: { quota: "unpaid_seats", most, cabin },
});
const rejectionOf = (history: readonly FlightEvent[], command: HoldSeats | AllocateSeats, at = LATER) =>
  flightDecider.decide(command, fold(flightDecider, history), at).rejection;

describe("what one account keeps held or booked without paying", () => {
  test("is a fifth of the cabin's unblocked seats at most, holds and bookings together", () => {
    const eleven = [scheduled, held("hld_1", ROW(10)), booked("bkg_1", 3), held("hld_2", ROW(11, "AB"))];
    given(eleven)
      .when(hold(["12A"]), LATER)
      .thenRejected(exceeded(11));
    given(eleven).when(book(1), LATER).thenRejected(exceeded(11));
    expect(rejectionOf(eleven.slice(0, 3), hold(ROW(12, "AB")))).toBeUndefined();
    expect(rejectionOf(eleven.slice(0, 3), hold(ROW(12, "ABC")))).toStrictEqual(exceeded(11));
  });

  test("does not hinder another account, nor this one in another cabin", () => {
    const full = [scheduled, held("hld_1", ROW(10)), booked("bkg_1", 5)];
    expect(rejectionOf(full, hold(ROW(11), { accountId: "acc_2" }))).toBeUndefined();
    expect(rejectionOf(full, book(9, { cabin: "business" }))).toBeUndefined();
  });

  test("is nine at least", () => {
    expect(rejectionOf([scheduled], hold([...ROW(10), ...ROW(11, "ABC")], { unpaidSeatsPercent: 0 }))).toBeUndefined();
    expect(rejectionOf([scheduled, booked("bkg_1", 9)], book(1, { unpaidSeatsPercent: 1 }))).toStrictEqual(exceeded(9));
  });

  test("has no bound at 100 percent", () => {
    const most = [scheduled, ...[1, 2, 3, 4, 5, 6].map((n) => booked(`bkg_${n}`, 9))];
    expect(rejectionOf(most, book(4, { unpaidSeatsPercent: 100 }))).toBeUndefined();
    expect(rejectionOf(most, book(5, { unpaidSeatsPercent: 100 }))?.code).toBe("cabin_sold_out");
  });

  test("a booking from a hold does not count twice, and what it adds to the hold does count", () => {
    const full = [scheduled, held("hld_1", ROW(10, "AB")), booked("bkg_1", 9)];
    given(full)
      .when(book(2, { holdId: "hld_1" }), LATER)
      .then([allocated("bkg_new", { seats: ROW(10, "AB"), holdId: "hld_1", surcharges: [0, 0] }, LATER)]);
    expect(rejectionOf(full, book(3, { holdId: "hld_1", seats: ROW(10, "ABC") }))).toStrictEqual(exceeded(11));
    const used = [...full, allocated("bkg_2", { seats: ["10A"], holdId: "hld_1" })];
    expect(rejectionOf(used, hold(["11A"]))).toBeUndefined();
    expect(rejectionOf(used, hold(ROW(11, "AB")))).toStrictEqual(exceeded(11));
  });

  test("shrinks with what is released, expires, is cancelled or paid", () => {
    const full = [scheduled, held("hld_1", ROW(10)), booked("bkg_1", 5)];
    const six = hold(ROW(11));
    expect(rejectionOf(full, six)).toStrictEqual(exceeded(11));
    expect(rejectionOf([...full, holdReleased("hld_1")], six)).toBeUndefined();
    expect(rejectionOf([...full, expired("hld_1", LATER)], six)).toBeUndefined();
    expect(rejectionOf(full, six, NOW + HOLD_DURATION)).toBeUndefined();
    expect(rejectionOf([...full, allocationReleased("bkg_1")], hold(ROW(11, "ABCDE")))).toBeUndefined();
    expect(rejectionOf([...full, paid("bkg_1")], hold(ROW(11, "ABCDE")))).toBeUndefined();
    expect(rejectionOf([...full, paid("bkg_1")], six)).toStrictEqual(exceeded(11));
    expect(rejectionOf([...full, paid("bkg_1"), allocationReleased("bkg_1")], six)).toStrictEqual(exceeded(11));
  });

  test("a hold that is over the bound may still be booked: the operator has lowered it", () => {
    const full = [scheduled, held("hld_1", ROW(10)), held("hld_2", ROW(11))];
    expect(rejectionOf(full, book(6, { holdId: "hld_1" }))).toBeUndefined();
  });

  test("what is wrong in itself, and seats that others have, are said first", () => {
    const full = [scheduled, booked("bkg_1", 9), held("hld_1", ROW(10, "AB"), NOW, "acc_2")];
    expect(rejectionOf(full, hold(ROW(10, "ABC")))?.code).toBe("seat_held");
    expect(rejectionOf(full, book(3, { seats: ROW(10, "AB") }))?.code).toBe("seat_count_mismatch");
  });
});

describe("an upgrade", () => {
  const upgrade = {
    type: "ReserveUpgrade",
    bookingId: "bkg_1",
    accountId: "acc_1",
    changeId: "red_1",
    unpaidSeatsPercent: 20,
  } as const;
  /** The bound in business is 10. */
  const history = [scheduled, booked("bkg_1", 2), booked("bkg_2", 9, { cabin: "business" })];

  test("of an unpaid booking counts in the cabin it goes to", () => {
    given(history).when(upgrade, LATER).thenRejected(exceeded(10, "business"));
    const { rejection } = flightDecider.decide(upgrade, fold(flightDecider, [...history, paid("bkg_2")]), LATER);
    expect(rejection).toBeUndefined();
  });

  test("of a paid one does not, in either cabin, before and after", () => {
    const state = fold(flightDecider, [...history, paid("bkg_1")]);
    const { events, rejection } = flightDecider.decide(upgrade, state, LATER);
    expect(rejection).toBeUndefined();
    const one = book(1, { cabin: "business" });
    const upgraded = [...history, paid("bkg_1"), ...events];
    expect(rejectionOf(upgraded, one)).toBeUndefined();
    expect(rejectionOf([...upgraded, applied("bkg_1", "red_1")], one)).toBeUndefined();
  });
});

describe("recording what is paid", () => {
  const history = [scheduled, booked("bkg_1", 2), booked("bkg_2", 1), booked("bkg_3", 1, { accountId: "acc_2" })];

  test("is for bookings on the flight, once", () => {
    const record = { type: "RecordPaidSeats", bookingIds: ["bkg_1", "bkg_3", "bkg_unknown"] } as const;
    const seatsPaid: FlightEvent = { ...paid("bkg_1", "bkg_3"), at: LATER };
    given(history).when(record, LATER).then([seatsPaid]);
    given([...history, seatsPaid])
      .when(record, LATER)
      .then([]);
    given([...history, allocationReleased("bkg_1"), allocationReleased("bkg_3")])
      .when(record, LATER)
      .then([]);
  });

  test("of a former release, which told of no refund, says nothing: such a booking is asked again", () => {
    const former: FlightEvent = { type: "SeatsPaid", at: NOW, data: { bookingIds: ["bkg_1"] } };
    const full = [scheduled, booked("bkg_1", 9), former];
    expect(rejectionOf(full, hold(ROW(10)))).toStrictEqual(exceeded(11));
    given(full)
      .when({ type: "RecordPaidSeats", bookingIds: ["bkg_1"] }, LATER)
      .then([{ ...paid("bkg_1"), at: LATER }]);
    expect(rejectionOf([...full, paid("bkg_1")], hold(ROW(10)))).toBeUndefined();
  });

  test("the bookings to ask are those of the account in the cabin that are not known to be paid", () => {
    const asked = (events: readonly FlightEvent[], cabin: "economy" | "business" = "economy") => {
      const state = fold(flightDecider, events);
      return state.status === "scheduled" && bookingsNotKnownPaid(state, { accountId: "acc_1", cabin });
    };
    expect(asked(history)).toStrictEqual(["bkg_1", "bkg_2"]);
    expect(asked(history, "business")).toStrictEqual([]);
    expect(asked([...history, paid("bkg_1")])).toStrictEqual(["bkg_2"]);
    expect(asked([...history, paid("bkg_1"), refunded("bkg_1")])).toStrictEqual(["bkg_2"]);
    expect(asked([...history, paid("bkg_1"), reserved("bkg_1", "chg_1", ROW(10, "AB"))])).toStrictEqual(["bkg_2"]);
    expect(asked([...history, allocationReleased("bkg_2")])).toStrictEqual(["bkg_1"]);
  });
});

describe("a booking of which less than half is kept", () => {
  const record = {
    type: "RecordRefundedSeats",
    bookingId: "bkg_1",
    accountId: "acc_1",
    refundId: "rfd_1",
    unpaidSeatsPercent: 20,
  } as const;
  const history = [scheduled, booked("bkg_1", 9)];

  test("counts as unpaid again, until it is off the flight", () => {
    const back = [...history, paid("bkg_1"), refunded("bkg_1")];
    expect(rejectionOf(back.slice(0, -1), hold(ROW(10)))).toBeUndefined();
    expect(rejectionOf(back, hold(ROW(10)))).toStrictEqual(exceeded(11));
    expect(rejectionOf([...back, allocationReleased("bkg_1")], hold(ROW(10)))).toBeUndefined();
    expect(rejectionOf([...back, reserved("bkg_1", "chg_1", [])], hold(ROW(10)))).toStrictEqual(exceeded(11));
  });

  test("is on record once, and while it is on the flight", () => {
    given([...history, paid("bkg_1")])
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...history, paid("bkg_1"), refunded("bkg_1")])
      .when(record, LATER)
      .then([]);
    given([...history, allocationReleased("bkg_1")])
      .when(record, LATER)
      .then([]);
    given([scheduled]).when(record, LATER).then([]);
  });

  test("needs room in the quota as a new booking would, and none for places that count already", () => {
    const others = [...history, paid("bkg_1"), held("hld_1", ROW(11, "AB"))];
    given(others)
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...others, booked("bkg_2", 1)])
      .when(record, LATER)
      .thenRejected(exceeded(11));
    given([...others, booked("bkg_2", 1)])
      .when({ ...record, unpaidSeatsPercent: 100 }, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...history, booked("bkg_2", 2)])
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...history, booked("bkg_2", 3)])
      .when(record, LATER)
      .thenRejected(exceeded(11));
    given([...history, paid("bkg_1"), booked("bkg_2", 9, { accountId: "acc_2" })])
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
  });

  test("needs it in each cabin that it takes capacity in", () => {
    const upgrade: FlightEvent = {
      type: "SeatChangeReserved",
      at: NOW,
      data: { bookingId: "bkg_1", changeId: "chg_1", seats: [], surcharges: [], holdId: null, cabin: "business" },
    };
    const upgrading = [scheduled, booked("bkg_1", 2), paid("bkg_1"), upgrade];
    const business = (passengers: number) => booked("bkg_2", passengers, { cabin: "business" });
    given([...upgrading, business(8)])
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...upgrading, business(9)])
      .when(record, LATER)
      .thenRejected(exceeded(10, "business"));
  });

  test("stays so whatever was asked before and is recorded after", () => {
    given(history)
      .when(record, LATER)
      .then([refunded("bkg_1", LATER)]);
    given([...history, refunded("bkg_1")])
      .when({ type: "RecordPaidSeats", bookingIds: ["bkg_1"] }, LATER)
      .then([]);
  });

  describe("by a refund that is never started", () => {
    const undo = (refundId: string) => ({ type: "UndoRefundedSeats", bookingId: "bkg_1", refundId }) as const;
    const undone: FlightEvent = {
      type: "SeatsRefundUndone",
      at: LATER,
      data: { bookingId: "bkg_1", refundId: "rfd_1" },
    };
    const back = [...history, paid("bkg_1"), refunded("bkg_1")];

    test("is asked again whether it is paid, once", () => {
      given(back).when(undo("rfd_1"), LATER).then([undone]);
      const again = [...back, undone];
      given(again).when(undo("rfd_1"), LATER).then([]);
      expect(rejectionOf(again, hold(ROW(10)))).toStrictEqual(exceeded(11));
      given(again)
        .when({ type: "RecordPaidSeats", bookingIds: ["bkg_1"] }, LATER)
        .then([{ ...paid("bkg_1"), at: LATER }]);
      expect(rejectionOf([...again, paid("bkg_1")], hold(ROW(10)))).toBeUndefined();
    });

    test("stays so where another refund was counted since, which needs no more room", () => {
      const another = [...back, refunded("bkg_1", NOW, "rfd_2")];
      given([...back, booked("bkg_2", 9)])
        .when({ ...record, refundId: "rfd_2" }, LATER)
        .then([refunded("bkg_1", LATER, "rfd_2")]);
      given(another).when(undo("rfd_1"), LATER).then([]);
      given([...another, allocationReleased("bkg_1")])
        .when(undo("rfd_2"), LATER)
        .then([]);
    });
  });

  test("pays for its upgrade out of the quota", () => {
    const upgrade = { type: "ReserveUpgrade", bookingId: "bkg_1", accountId: "acc_1", changeId: "red_1" } as const;
    const upgradable = [scheduled, booked("bkg_1", 2), booked("bkg_2", 9, { cabin: "business" }), paid("bkg_1")];
    const asked = (events: readonly FlightEvent[]) =>
      flightDecider.decide({ ...upgrade, unpaidSeatsPercent: 20 }, fold(flightDecider, events), LATER).rejection;
    expect(asked(upgradable)).toBeUndefined();
    expect(asked([...upgradable, refunded("bkg_1")])).toStrictEqual(exceeded(10, "business"));
  });
});
