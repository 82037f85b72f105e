import { describe, expect, test } from "@jest/globals";
import {
  availabilityChangesAt,
  deserializeOccupancy,
  evolveSerializedOccupancy,
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  type Occupancy,
  seatStatus,
  seatsLeft,
  serializeOccupancy,
} from "../../src/index.ts";
import {
  allocated,
  allocationReleased,
  applied,
  expired,
  held,
  holdReleased,
  LATER,
  NOW,
  plan,
  reserved,
  scheduled,
} from "./sample-flight.ts";

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

describe("a packed occupancy", () => {
  const events: readonly FlightEvent[] = [
    scheduled,
    { type: "FareChanged", at: NOW, data: { cabin: "economy", amount: 5 } },
    held("hld_1", ["10A", "10B"]),
    held("hld_2", ["1A"]),
    held("hld_3", ["11A"]),
    allocated("bkg_1", { seats: ["10A"], holdId: "hld_1" }),
    allocated("bkg_2", { passengers: 1 }),
    reserved("bkg_1", "chg_1", ["11A"], "hld_3"),
    allocationReleased("bkg_2"),
    holdReleased("hld_2"),
    held("hld_4", ["10C"], LATER),
    applied("bkg_1", "chg_1", LATER),
    reserved("bkg_1", "chg_2", ["11C"], null, LATER),
  ];

  test("is JSON of what is current, and nothing else", () => {
    const packed = evolveSerializedOccupancy(null, events);
    expect(packed).toStrictEqual({
      plan: { ...plan, cabins: [{ ...plan.cabins[0], amount: 5 }, plan.cabins[1]] },
      holds: [["hld_4", "economy", LATER + HOLD_DURATION, ["10C"]]],
      occupants: [["bkg_1", "economy", 1, ["11A"], "chg_2", ["11C"], null]],
    });
    expect(JSON.parse(JSON.stringify(packed))).toStrictEqual(packed);
  });

  test("folds to the same, in whatever batches the events come", () => {
    const atOnce = evolveSerializedOccupancy(null, events);
    for (let cut = 0; cut <= events.length; cut += 1) {
      const first = evolveSerializedOccupancy(null, events.slice(0, cut));
      expect(evolveSerializedOccupancy(first, events.slice(cut))).toStrictEqual(atOnce);
    }
  });

  test("unpacked it answers as before", () => {
    const state = fold(flightDecider, events);
    if (state.status === "unscheduled") throw new Error("scheduled above");
    const again = deserializeOccupancy(serializeOccupancy(state.occupancy));
    for (const at of [LATER, LATER + HOLD_DURATION])
      for (const cabin of plan.cabins) {
        expect(seatsLeft(again, cabin.cabin, at)).toBe(seatsLeft(state.occupancy, cabin.cabin, at));
        for (const seat of ["10A", "10B", "10C", "11A", "11B", "11C", "1A", "1C"])
          expect(seatStatus(again, cabin.cabin, seat, at)).toBe(seatStatus(state.occupancy, cabin.cabin, seat, at));
      }
  });

  test("before the flight is scheduled there is none", () => {
    expect(evolveSerializedOccupancy(null, [])).toBeNull();
  });
});
