import { describe, expect, test } from "@jest/globals";
import {
  type AssignSeats,
  automaticChange,
  automaticSeats,
  type FlightEvent,
  flightDecider,
  NO_SEAT_PREFERENCES,
  type PassengerSeatPreferences,
  seatsOf,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import { type CabinAbout, cabinWith } from "./brute-force-seats.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  dropped,
  economy,
  expired,
  held,
  LATER,
  NOW,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const SIX_ABREAST: CabinAbout = { layout: "ABC DEF", rows: [10, 13] };
const nobody = (count: number): readonly PassengerSeatPreferences[] =>
  Array.from({ length: count }, () => NO_SEAT_PREFERENCES);
const likes = (seat: PassengerSeatPreferences["seat"], cryosleep = false): PassengerSeatPreferences => ({
  seat,
  cryosleep,
});

function chosen(about: CabinAbout, taken: readonly string[], wishes: readonly PassengerSeatPreferences[]) {
  return automaticSeats(cabinWith(about, taken), "economy", wishes, NOW);
}

describe("a party sits together", () => {
  test.each<[string, readonly string[], number, readonly string[] | undefined]>([
    ["two beside each other rather than across the aisle", ["10B", "10E"], 2, ["11A", "11B"]],
    [
      "across the aisle rather than with a stranger between",
      ["10A", "10B", "10F", "11", "12", "13"],
      2,
      ["10D", "10E"],
    ],
    ["four in one row", [], 4, ["10A", "10B", "10C", "10D"]],
    ["nine in two rows that lie together", [], 9, ["10A", "10B", "10C", "10D", "10E", "10F", "11A", "11B", "11C"]],
    [
      "as near as can be where nothing is together",
      ["10", "11B", "11C", "11D", "11E", "11F", "13"],
      7,
      ["11A", "12A", "12B", "12C", "12D", "12E", "12F"],
    ],
    ["nobody where there is no room for all", ["10", "11", "12", "13A", "13B"], 5, undefined],
  ])("%s", (_, taken, size, seats) => {
    const all = seatsOf({ ...economy, ...SIX_ABREAST }).map(({ number }) => number);
    const isTaken = (seat: string) => taken.includes(seat) || taken.includes(seat.slice(0, -1));
    expect(chosen(SIX_ABREAST, all.filter(isTaken), nobody(size))).toStrictEqual(seats);
  });
});

describe("wishes", () => {
  test("each passenger of a party gets the kind of seat they like, in their order", () => {
    expect(chosen(SIX_ABREAST, [], [likes("aisle"), likes("window"), likes("middle")])).toStrictEqual([
      "10C",
      "10A",
      "10B",
    ]);
  });

  test("alone, the first seat of that kind", () => {
    expect(chosen(SIX_ABREAST, ["10A"], [likes("window")])).toStrictEqual(["10F"]);
    expect(chosen(SIX_ABREAST, [], [likes("middle")])).toStrictEqual(["10B"]);
  });

  test("they do not part a party", () => {
    expect(chosen(SIX_ABREAST, [], [likes("window"), likes("window")])).toStrictEqual(["10A", "10B"]);
  });

  test("a cryosleep pod, on journeys longer than a year alone", () => {
    const pods: CabinAbout = { ...SIX_ABREAST, cryosleepRows: [12] };
    expect(chosen({ ...pods, durationDays: 366 }, [], [likes("any", true)])).toStrictEqual(["12A"]);
    expect(chosen({ ...pods, durationDays: 365 }, [], [likes("any", true)])).toStrictEqual(["10A"]);
    expect(chosen({ ...pods, durationDays: 366 }, [], [likes("window", true), likes("aisle", true)])).toStrictEqual([
      "12A",
      "12B",
    ]);
  });

  test("exit rows, accessible seats and pods are kept for those who look for them", () => {
    const about: CabinAbout = {
      ...SIX_ABREAST,
      rows: [10, 12],
      exitRows: [10],
      cryosleepRows: [11],
      accessible: ["12A"],
    };
    expect(chosen(about, [], nobody(1))).toStrictEqual(["12B"]);
    expect(chosen(about, ["12B", "12C", "12D", "12E", "12F"], nobody(1))).toStrictEqual(["10A"]);
  });
});

const given = specification(flightDecider);
const unseated = allocated("bkg_1", { passengers: 2 });

function assign(about: Partial<AssignSeats> = {}): AssignSeats {
  return {
    type: "AssignSeats",
    bookingId: "bkg_1",
    changeId: "chg_1",
    preferences: [NO_SEAT_PREFERENCES, NO_SEAT_PREFERENCES],
    ...about,
  };
}

function assigned(
  seats: readonly string[],
  surcharges: readonly number[],
  at: number,
  changeId = "chg_1",
): FlightEvent {
  const data = { bookingId: "bkg_1", changeId, seats, surcharges, holdId: null, automatic: true as const };
  return { type: "SeatChangeReserved", at, data };
}

describe("assigning seats", () => {
  test("reserves free ones; what others hold or have is theirs", () => {
    given([scheduled, unseated])
      .when(assign(), LATER)
      .then([assigned(["10A", "10B"], [2_500, 0], LATER)]);
    given([scheduled, unseated, allocated("bkg_2", { seats: ["10A"] }), held("hld_1", ["10C"])])
      .when(assign(), LATER)
      .then([assigned(["11A", "11C"], [6_500, 6_500], LATER)]);
  });

  test("a hold that has lapsed is in nobody's way", () => {
    const hold = held("hld_1", ["10A"]);
    const end = hold.type === "SeatsHeld" ? hold.data.expiresAt : 0;
    given([scheduled, unseated, hold])
      .when(assign(), end)
      .then([expired("hld_1", end), assigned(["10A", "10B"], [2_500, 0], end)]);
  });

  test("what is due before departure is done after it where nobody could before", () => {
    given([scheduled, unseated])
      .when(assign(), DEPARTURE)
      .then([assigned(["10A", "10B"], [2_500, 0], DEPARTURE)]);
  });

  test("once: seats that are there, reserved or taken over, stay", () => {
    const reservation = assigned(["10A", "10B"], [2_500, 0], NOW);
    given([scheduled, unseated, reservation]).when(assign(), LATER).then([]);
    given([scheduled, unseated, reservation])
      .when(assign({ changeId: "chg_2" }), LATER)
      .then([]);
    given([scheduled, unseated, reservation, applied("bkg_1", "chg_1")])
      .when(assign({ changeId: "chg_2" }), LATER)
      .then([]);
    given([scheduled, allocated("bkg_1", { seats: ["11A"] })])
      .when(assign(), LATER)
      .then([]);
    given([scheduled, unseated, reservation, dropped("bkg_1", "chg_1")])
      .when(assign({ changeId: "chg_2" }), LATER)
      .then([assigned(["10A", "10B"], [2_500, 0], LATER, "chg_2")]);
  });

  test("who asks again is told what is reserved, and nothing of a client's own change", () => {
    const state = given([scheduled, unseated, assigned(["10A", "10B"], [2_500, 0], NOW)]).state();
    const own = given([scheduled, unseated, reserved("bkg_1", "chg_1", ["10A", "10B"])]).state();
    if (state.status !== "scheduled" || own.status !== "scheduled") throw new Error("the flight is scheduled");
    expect(automaticChange(state, "bkg_1")).toStrictEqual({
      flightId: "KP442",
      changeId: "chg_1",
      seats: ["10A", "10B"],
      cabin: "economy",
    });
    expect(automaticChange(own, "bkg_1")).toBeUndefined();
    expect(automaticChange(state, "bkg_9")).toBeUndefined();
  });

  test("refused where there is nobody to seat, or others are at it", () => {
    given([scheduled]).when(assign(), LATER).thenRejected("allocation_not_found");
    given([scheduled, unseated, allocationReleased("bkg_1")])
      .when(assign(), LATER)
      .thenRejected("allocation_released");
    given([scheduled, unseated, reserved("bkg_1", "chg_0", ["10A", "10B"])])
      .when(assign(), LATER)
      .thenRejected("seat_change_open");
    given([scheduled, unseated])
      .when(assign({ preferences: [NO_SEAT_PREFERENCES] }), LATER)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } });
  });

  test("a change of others may keep the last seats for a moment", () => {
    const changing = [allocated("bkg_2", { seats: ["10A", "10B"] }), reserved("bkg_2", "chg_0", ["10C", "11A"])];
    given([scheduled, unseated, ...changing])
      .when(assign(), LATER)
      .thenRejected({ code: "seats_changing", facts: { cabin: "economy" } });
    given([scheduled, unseated, ...changing, applied("bkg_2", "chg_0")])
      .when(assign(), LATER)
      .then([assigned(["10A", "10B"], [2_500, 0], LATER)]);
  });
});
