import { describe, expect, test } from "@jest/globals";
import {
  emptyOccupancy,
  evolveOccupancy,
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  type Occupancy,
  seatStatus,
  seatsLeft,
} from "@travel-booking/domain";
import { sampleFlight } from "@travel-booking/domain/testing";
import { deserializeOccupancy, serializeOccupancy } from "../src/index.ts";

const { NOW, LATER, allocated, allocationReleased, applied, held, holdReleased, plan, reserved, scheduled } =
  sampleFlight;

const upgrade: FlightEvent = {
  type: "SeatChangeReserved",
  at: LATER,
  data: { bookingId: "bkg_1", changeId: "red_1", seats: [], surcharges: [], holdId: null, cabin: "business" },
};

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

function occupancyAfter(history: readonly FlightEvent[]): Occupancy {
  const state = fold(flightDecider, history);
  if (state.status === "unscheduled") throw new Error("the history begins with the flight");
  return state.occupancy;
}

describe("a serialized occupancy", () => {
  test("is JSON of what is current, and nothing else", () => {
    const serialized = serializeOccupancy(occupancyAfter(events));
    expect(serialized).toStrictEqual({
      plan: { ...plan, cabins: [{ ...plan.cabins[0], amount: 5 }, plan.cabins[1]] },
      holds: [["hld_4", "economy", LATER + HOLD_DURATION, ["10C"]]],
      occupants: [["bkg_1", "economy", 1, ["11A"], "chg_2", ["11C"], null]],
    });
    expect(JSON.parse(JSON.stringify(serialized))).toStrictEqual(serialized);
  });

  test("folds to the same, in whatever batches the events come", () => {
    const atOnce = serializeOccupancy(occupancyAfter(events));
    for (let cut = 1; cut <= events.length; cut += 1) {
      let occupancy = deserializeOccupancy(serializeOccupancy(occupancyAfter(events.slice(0, cut))));
      for (const event of events.slice(cut)) {
        occupancy = event.type === "FlightScheduled" ? emptyOccupancy(event.data) : evolveOccupancy(occupancy, event);
      }
      expect(serializeOccupancy(occupancy)).toStrictEqual(atOnce);
    }
  });

  test.each([
    ["with a hold and a change of seats", events],
    ["with an upgrade under way", [...events.slice(0, 6), upgrade]],
    ["after an upgrade", [...events.slice(0, 6), upgrade, applied("bkg_1", "red_1", LATER)]],
  ])("deserialized it answers as before, %s", (_, history) => {
    const occupancy = occupancyAfter(history);
    const again = deserializeOccupancy(serializeOccupancy(occupancy));
    for (const at of [LATER, LATER + HOLD_DURATION])
      for (const { cabin } of plan.cabins) {
        expect(seatsLeft(again, cabin, at)).toBe(seatsLeft(occupancy, cabin, at));
        for (const seat of ["10A", "10B", "10C", "11A", "11B", "11C", "1A", "1C"])
          expect(seatStatus(again, cabin, seat, at)).toBe(seatStatus(occupancy, cabin, seat, at));
      }
  });
});
