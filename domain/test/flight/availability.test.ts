import { describe, expect, test } from "@jest/globals";
import {
  availabilityChangesAt,
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  type Occupancy,
  seatStatus,
  seatsLeft,
} from "../../src/index.ts";
import { allocated, expired, held, holdReleased, LATER, NOW, reserved, scheduled } from "./sample-flight.ts";

function occupancyAfter(...events: FlightEvent[]): Occupancy {
  const state = fold(flightDecider, [scheduled, ...events]);
  if (state.status === "unscheduled") throw new Error("scheduled above");
  return state.occupancy;
}

describe("what is left on a flight", () => {
  test("unblocked seats, less booked, unseated and held ones; each cabin for itself", () => {
    const occupancy = occupancyAfter(
      allocated("bkg_1", { seats: ["10A"] }),
      allocated("bkg_2", { passengers: 2 }),
      held("hld_1", ["10B"]),
      held("hld_2", ["1A"]),
    );
    expect(seatsLeft(occupancyAfter(), "economy", NOW)).toBe(5);
    expect(seatsLeft(occupancy, "economy", LATER)).toBe(1);
    expect(seatsLeft(occupancy, "business", LATER)).toBe(1);
    expect(seatsLeft(occupancy, "first", LATER)).toBe(0);
  });

  test("a hold counts until its time is up, recorded or not", () => {
    const end = NOW + HOLD_DURATION;
    const occupancy = occupancyAfter(held("hld_1", ["10A", "10B"]), held("hld_2", ["10C"], LATER));
    expect(seatsLeft(occupancy, "economy", end - 1)).toBe(2);
    expect(seatsLeft(occupancy, "economy", end)).toBe(4);
    expect(seatsLeft(occupancy, "economy", LATER + HOLD_DURATION)).toBe(5);
    expect(seatStatus(occupancy, "economy", "10A", end - 1)).toBe("held");
    expect(seatStatus(occupancy, "economy", "10A", end)).toBe("available");
  });

  test("a seat is blocked, booked, held or available", () => {
    const occupancy = occupancyAfter(
      allocated("bkg_1", { seats: ["10A"] }),
      reserved("bkg_1", "chg_1", ["10B"]),
      held("hld_1", ["10C"]),
    );
    const statuses = ["10A", "10B", "10C", "11A", "11B"].map((seat) => seatStatus(occupancy, "economy", seat, LATER));
    expect(statuses).toStrictEqual(["booked", "booked", "held", "available", "blocked"]);
  });

  test("it changes by itself when the next active hold lapses", () => {
    const first = held("hld_1", ["10A"]);
    const second = held("hld_2", ["10B"], LATER);
    expect(availabilityChangesAt(occupancyAfter())).toBeNull();
    expect(availabilityChangesAt(occupancyAfter(first, second))).toBe(NOW + HOLD_DURATION);
    expect(availabilityChangesAt(occupancyAfter(first, second, holdReleased("hld_1")))).toBe(LATER + HOLD_DURATION);
    const ended = [first, second, holdReleased("hld_2"), expired("hld_1", NOW + HOLD_DURATION)];
    expect(availabilityChangesAt(occupancyAfter(...ended))).toBeNull();
  });
});
