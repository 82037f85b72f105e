import { describe, expect, test } from "@jest/globals";
import {
  type AssignSeats,
  automaticChange,
  type FlightEvent,
  flightDecider,
  NO_SEAT_PREFERENCES,
} from "../../../src/index.ts";
import { specification } from "../../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  dropped,
  expired,
  held,
  LATER,
  NOW,
  reserved,
  scheduled,
} from "../sample-flight.ts";

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
