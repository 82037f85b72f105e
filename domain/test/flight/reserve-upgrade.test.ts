import { describe, expect, test } from "@jest/globals";
import { type FlightEvent, flightDecider, fold, type ReserveUpgrade, seatsLeft } from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  dropped,
  LATER,
  plan,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);
const booked = [scheduled, allocated("bkg_1", { seats: ["10A", "10B"] })];
const upgrade = (about: Partial<ReserveUpgrade> = {}): ReserveUpgrade => ({
  type: "ReserveUpgrade",
  bookingId: "bkg_1",
  accountId: "acc_1",
  changeId: "red_1",
  ...about,
});
const up: FlightEvent = {
  type: "SeatChangeReserved",
  at: LATER,
  data: { bookingId: "bkg_1", changeId: "red_1", seats: [], surcharges: [], holdId: null, cabin: "business" },
};

function left(events: readonly FlightEvent[]): readonly [economy: number, business: number] {
  const state = fold(flightDecider, events);
  if (state.status === "unscheduled") throw new Error("scheduled above");
  return [seatsLeft(state.occupancy, "economy", LATER), seatsLeft(state.occupancy, "business", LATER)];
}

describe("an upgrade", () => {
  test("takes places in the next cabin beside those of the old one, until it has ended", () => {
    given(booked).when(upgrade(), LATER).then([up]);
    expect(left(booked)).toStrictEqual([3, 2]);
    expect(left([...booked, up])).toStrictEqual([3, 0]);
    expect(left([...booked, up, applied("bkg_1", "red_1")])).toStrictEqual([5, 0]);
    expect(left([...booked, up, dropped("bkg_1", "red_1")])).toStrictEqual([3, 2]);
    expect(left([...booked, up, allocationReleased("bkg_1")])).toStrictEqual([5, 2]);
    expect(left([...booked, up, applied("bkg_1", "red_1"), allocationReleased("bkg_1")])).toStrictEqual([5, 2]);
  });

  test("twice is one", () => {
    given([...booked, up])
      .when(upgrade(), LATER)
      .then([]);
    given([...booked, up])
      .when(upgrade({ changeId: "red_2" }), LATER)
      .thenRejected("seat_change_open");
    given([...booked, up, allocated("bkg_2", { passengers: 1 })])
      .when(upgrade({ bookingId: "bkg_2" }), LATER)
      .thenRejected("id_taken");
  });

  test("is refused where there is no room, nothing above, nobody to move, or no flight any more", () => {
    given([...booked, allocated("bkg_2", { cabin: "business", passengers: 1, surcharges: [] })])
      .when(upgrade(), LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "business", seatsLeft: 1 } });
    given([...booked, up, applied("bkg_1", "red_1")])
      .when(upgrade({ changeId: "red_2" }), LATER)
      .thenRejected("no_higher_cabin");
    given(booked)
      .when(upgrade({ accountId: "acc_2" }), LATER)
      .thenRejected("allocation_not_found");
    given([...booked, allocationReleased("bkg_1")])
      .when(upgrade(), LATER)
      .thenRejected("allocation_released");
    given([...booked, reserved("bkg_1", "chg_1", ["11A", "11C"])])
      .when(upgrade(), LATER)
      .thenRejected("seat_change_open");
    given(booked).when(upgrade(), DEPARTURE).thenRejected("flight_departed");
  });

  test("goes to the next cabin the flight has", () => {
    const withFirst: FlightEvent = {
      ...scheduled,
      type: "FlightScheduled",
      data: {
        ...plan,
        cabins: plan.cabins.map((cabin) => (cabin.cabin === "business" ? { ...cabin, cabin: "first" } : cabin)),
      },
    };
    given([withFirst, ...booked.slice(1)])
      .when(upgrade(), LATER)
      .then([{ ...up, data: { ...up.data, cabin: "first" } } as FlightEvent]);
  });

  test("then seats are chosen in the new cabin, and no more in the old one", () => {
    const upgraded = [...booked, up, applied("bkg_1", "red_1")];
    const change = { type: "ReserveSeatChange", bookingId: "bkg_1", accountId: "acc_1", changeId: "chg_1" } as const;
    given(upgraded)
      .when({ ...change, seats: ["1A", "1C"], holdId: null }, LATER)
      .then([reserved("bkg_1", "chg_1", ["1A", "1C"], null, LATER)]);
    given(upgraded)
      .when({ ...change, seats: ["10A", "10B"], holdId: null }, LATER)
      .thenRejected("seat_in_other_cabin");
  });
});
