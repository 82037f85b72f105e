import { describe, expect, test } from "@jest/globals";
import {
  aislesOf,
  columnsOf,
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  hasSeat,
  layoutOf,
  nextCabinUp,
  type Occupancy,
  seatAt,
  seatStatus,
  seatsLeft,
  seatsOf,
} from "../../src/index.ts";
import { allocated, business, economy, held, LATER, NOW, plan, reserved, scheduled } from "./sample-flight.ts";

const featuresOf = (number: string, about: Partial<typeof economy>) =>
  seatAt(layoutOf({ ...economy, exitRows: [], ...about }), number)?.features;

describe("the seats of a cabin", () => {
  test("row by row from left to right, with features and price", () => {
    expect(seatsOf(economy)).toStrictEqual([
      { number: "10A", row: 10, column: "A", features: ["window", "bulkhead"], price: 2_500 },
      { number: "10B", row: 10, column: "B", features: ["aisle", "bulkhead"], price: 0 },
      { number: "10C", row: 10, column: "C", features: ["window", "aisle", "bulkhead"], price: 2_500 },
      { number: "11A", row: 11, column: "A", features: ["window", "exit_row", "extra_legroom"], price: 6_500 },
      { number: "11B", row: 11, column: "B", features: ["aisle", "exit_row", "extra_legroom"], price: 4_000 },
      { number: "11C", row: 11, column: "C", features: ["window", "aisle", "exit_row", "extra_legroom"], price: 6_500 },
    ]);
  });

  test("outermost columns are windows, those beside an aisle aisles, the rest middle", () => {
    const layout = { layout: "ABC DEFG HJK" };
    const rows = "ABCDEFGHJK".split("").map((column) => featuresOf(`11${column}`, layout));
    const [window, middle, aisle] = [["window"], ["middle"], ["aisle"]];
    expect(rows).toStrictEqual([window, middle, aisle, aisle, middle, middle, aisle, aisle, middle, window]);
    expect(featuresOf("11B", { layout: "ABC" })).toStrictEqual(["middle"]);
    expect(featuresOf("11A", { layout: "A" })).toStrictEqual(["window"]);
  });

  test("rows and single seats add their features", () => {
    expect(featuresOf("11A", { quietRows: [11] })).toStrictEqual(["window", "quiet_zone"]);
    expect(featuresOf("11A", { cryosleepRows: [11] })).toStrictEqual(["window", "cryosleep_pod"]);
    expect(featuresOf("11A", { accessible: ["11A"] })).toStrictEqual(["window", "accessible"]);
    expect(featuresOf("11B", { accessible: ["11A"] })).toStrictEqual(["aisle"]);
  });

  test("a seat is found by exactly its number", () => {
    const layout = layoutOf(economy);
    for (const seat of seatsOf(economy)) {
      expect(hasSeat(layout, seat.number)).toBe(true);
      expect(seatAt(layout, seat.number)).toStrictEqual(seat);
    }
    for (const number of [
      "",
      "A",
      "10",
      "9A",
      "12A",
      "10D",
      "10a",
      "010A",
      "+10A",
      "1e1A",
      "10.0A",
      " 10A",
      "NaNA",
      "10AA",
    ])
      expect(hasSeat(layout, number)).toBe(false);
  });

  test("blocked seats are part of the cabin, but not for sale", () => {
    expect(layoutOf(economy).unblocked).toBe(5);
    expect(layoutOf({ ...economy, blocked: ["11B", "11B"] }).unblocked).toBe(5);
  });

  test("columns and aisles of a layout", () => {
    expect(columnsOf({ layout: "ABC DEF" })).toStrictEqual(["A", "B", "C", "D", "E", "F"]);
    expect(aislesOf({ layout: "ABC DEF" })).toStrictEqual([3]);
    expect(aislesOf({ layout: "A BC  D" })).toStrictEqual([1, 3]);
    expect(aislesOf({ layout: "ABC" })).toStrictEqual([]);
  });

  test("the next cabin up is the next one the flight has in the same currency", () => {
    expect(nextCabinUp(plan, "economy")).toBe(business);
    expect(nextCabinUp(plan, "premium_economy")).toBe(business);
    expect(nextCabinUp(plan, "business")).toBeUndefined();
    expect(nextCabinUp({ cabins: [{ ...business, cabin: "first" }, economy, business] }, "economy")).toBe(business);
    const inYen = { ...business, currency: "JPY" };
    expect(nextCabinUp({ cabins: [economy, inYen] }, "economy")).toBeUndefined();
    expect(nextCabinUp({ cabins: [economy, inYen, { ...business, cabin: "first" }] }, "economy")?.cabin).toBe("first");
  });
});

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
});
