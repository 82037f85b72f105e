import { serialize } from "node:v8";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { KEPT, PastMap } from "../../src/flight/past-map.ts";
import {
  copyFlight,
  type FlightState,
  findAllocation,
  findHold,
  findSeatChange,
  flightDecider,
  fold,
} from "../../src/index.ts";
import {
  allocated,
  allocationReleased,
  dropped,
  held,
  holdReleased,
  LATER,
  NOW,
  reserved,
  scheduled,
} from "./sample-flight.ts";

/** All ways through a map; a loop over one, a copy and a spread take the last. */
const { forEach, keys, values, entries } = Map.prototype;
let touched = 0;

/** Counts the entries of maps that are copied or gone through from now on. */
function countTouched(): void {
  touched = 0;
  const counting = <Item>(iterate: (this: Map<unknown, unknown>) => MapIterator<Item>) =>
    function* (this: Map<unknown, unknown>) {
      for (const item of iterate.call(this)) {
        touched += 1;
        yield item;
      }
    } as typeof iterate;
  Object.assign(Map.prototype, {
    keys: counting(keys),
    values: counting(values),
    entries: counting(entries),
    [Symbol.iterator]: counting(entries),
    forEach(this: Map<unknown, unknown>, ...given: Parameters<typeof forEach>) {
      touched += this.size;
      forEach.apply(this, given);
    },
  });
}

function stopCounting(): void {
  Object.assign(Map.prototype, { forEach, keys, values, entries, [Symbol.iterator]: entries });
}

afterEach(stopCounting);

/** So many holds, bookings and changes of bookings that have all ended. */
function flightWithPast(count: number): FlightState {
  let state = fold(flightDecider, [scheduled]);
  for (let number = 0; number < count; number += 1)
    for (const event of past(number)) state = flightDecider.evolve(state, event);
  return state;
}

function past(number: number) {
  const [hold, booking, change] = [`hld_${number}`, `bkg_${number}`, `chg_${number}`];
  return [
    held(hold, ["10A"]),
    holdReleased(hold),
    allocated(booking, { seats: ["10B"] }),
    reserved(booking, change, ["10C"]),
    dropped(booking, change),
    allocationReleased(booking),
  ];
}

test("every way through a map is counted", () => {
  const map = new Map([["a", 1]]);
  countTouched();
  for (const _ of map) new Map(map);
  for (const all of [map.keys(), map.values(), map.entries()]) Array.from<unknown>(all);
  Map.prototype.forEach.call(map, () => undefined);
  stopCounting();
  expect(touched).toBe(6);
});

describe("a flight with a long past", () => {
  let flights: readonly { readonly size: number; state: FlightState }[];
  beforeAll(() => {
    flights = [1_000, 100_000].map((size) => ({ size, state: flightWithPast(size) }));
  });

  test("is decided on and folded without going through it", () => {
    const work = flights.map((flight) => {
      countTouched();
      for (let number = flight.size; number < flight.size + 100; number += 1) {
        const command = { type: "HoldSeats", holdId: `hld_${number}`, accountId: "acc_1", seats: ["10A"] } as const;
        expect(flightDecider.decide(command, flight.state, NOW).events).toHaveLength(1);
        for (const event of past(number)) flight.state = flightDecider.evolve(flight.state, event);
      }
      stopCounting();
      return touched;
    });
    expect(work[1]).toBe(work[0]);
  });

  test("is copied again and again for what is on it and what was added", () => {
    const work = flights.map((flight) => {
      countTouched();
      for (let number = flight.size + 100; number < flight.size + 200; number += 1) {
        copyFlight(flight.state);
        for (const event of past(number)) flight.state = flightDecider.evolve(flight.state, event);
      }
      stopCounting();
      return touched;
    });
    expect(work[1]).toBe(work[0]);
    expect(work[0]).toBeLessThan(100 * 50);
  });

  test("keeps of it what a snapshot has room for, the last of each kind", () => {
    const [, { state }] = flights as readonly [unknown, { readonly state: FlightState }];
    if (state.status === "unscheduled") throw new Error("scheduled above");
    // What a state store takes in one record (docs/decisions/0037-snapshots-of-long-streams.md).
    for (const kept of [state, copyFlight(state)])
      expect((serialize(kept).length * 4) / 3).toBeLessThan(8 * 1_024 * 1_024);
    const known = (number: number) => [
      findHold(state, `hld_${number}`, LATER)?.status,
      findSeatChange(state, `chg_${number}`)?.status,
      findAllocation(state, `bkg_${number}`)?.passengers,
    ];
    for (const ago of [1, 1_000, KEPT]) expect(known(100_200 - ago)).toStrictEqual(["released", "dropped", 1]);
    for (const number of [0, 50_000, 80_000]) expect(known(number)).toStrictEqual([undefined, undefined, undefined]);
  });

  test("knows all of it, in every copy", () => {
    let state = flightWithPast(200);
    for (let number = 200; number < 400; number += 1) {
      const copy = copyFlight(state);
      for (const event of past(number)) state = flightDecider.evolve(state, event);
      if (copy.status === "unscheduled") throw new Error("scheduled above");
      expect(findHold(copy, `hld_${number}`, LATER)).toBeUndefined();
    }
    if (state.status === "unscheduled") throw new Error("scheduled above");
    for (let number = 0; number < 400; number += 1) {
      const booking = { bookingId: `bkg_${number}`, status: "dropped" };
      expect(findHold(state, `hld_${number}`, LATER)).toStrictEqual({ accountId: "acc_1", status: "released" });
      expect(findSeatChange(state, `chg_${number}`)).toStrictEqual(booking);
      expect(findAllocation(state, `bkg_${number}`)?.passengers).toBe(1);
    }
    expect(state.occupancy.shared.size).toBe(2);
  });
});

describe("a map of what has ended", () => {
  test.each([1, 10, 1_000, 3_000, 30_000])("keeps the last, where every %dth is followed by a copy", (every) => {
    let map = new PastMap<number>();
    for (let number = 0; number < 100_000; number += 1) {
      map.add(`${number}`, number);
      if (number % every === 0) map = PastMap.copyOf(map);
    }
    const size = map.layers.reduce((sum, layer) => sum + layer.size, map.added.size);
    expect(size).toBeLessThan(3 * KEPT);
    for (let number = 100_000 - KEPT; number < 100_000; number += 1) expect(map.get(`${number}`)).toBe(number);
  });

  test("and its copies do not see what the others add", () => {
    const map = new PastMap<number>();
    map.add("a", 1);
    const copy = PastMap.copyOf(map);
    map.add("b", 2);
    copy.add("c", 3);
    const both = (one: PastMap<number>) => ["a", "b", "c", "d"].map((id) => one.get(id));
    expect(both(map)).toStrictEqual([1, 2, undefined, undefined]);
    expect(both(copy)).toStrictEqual([1, undefined, 3, undefined]);
    expect(both(PastMap.copyOf(copy))).toStrictEqual(both(copy));
  });
});
