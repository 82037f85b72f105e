import { describe, expect, test } from "@jest/globals";
import {
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  MAX_EXPIRED_HOLDS_PER_COMMAND,
  seatStatus,
  seatsLeft,
} from "../../src/index.ts";
import { economy, expired, held, NOW, plan } from "./sample-flight.ts";

const HOLDS = MAX_EXPIRED_HOLDS_PER_COMMAND + 44;
const AT = NOW + HOLD_DURATION;
const seatOf = (index: number) => `${index + 1}A`;
const LAST = HOLDS - 1;

/** A flight of 300 seats, all of them held by holds nobody has looked at since. */
const history: readonly FlightEvent[] = [
  {
    type: "FlightScheduled",
    at: NOW,
    data: { ...plan, cabins: [{ ...economy, layout: "A", rows: [1, HOLDS], exitRows: [], blocked: [] }] },
  },
  ...Array.from({ length: HOLDS }, (_, index) => held(`hld_${index}`, [seatOf(index)])),
];

describe("more holds lapsed than one command records", () => {
  const hold = { type: "HoldSeats", holdId: "hld_new", accountId: "acc_2", seats: [seatOf(LAST)] } as const;
  const state = () => fold(flightDecider, history);

  test("the oldest are recorded, and the rest read as lapsed all the same", () => {
    const flight = state();
    const { events, rejection } = flightDecider.decide(hold, flight, AT);
    expect(rejection).toBeUndefined();
    const lapsed = Array.from({ length: MAX_EXPIRED_HOLDS_PER_COMMAND }, (_, index) => expired(`hld_${index}`, AT));
    expect(events.slice(0, -1)).toStrictEqual(lapsed);
    expect(events.at(-1)).toMatchObject({ type: "SeatsHeld", data: { holdId: "hld_new" } });
  });

  test("the next command records the rest; what was promised meanwhile stays promised", () => {
    const first = flightDecider.decide(hold, state(), AT).events;
    const between = first.reduce(flightDecider.evolve, state());
    if (between.status === "unscheduled") throw new Error("it was scheduled");
    expect(seatsLeft(between.occupancy, "economy", AT)).toBe(HOLDS - 1);

    const rest = flightDecider.decide({ type: "ExpireHolds" }, between, AT).events;
    expect(rest).toStrictEqual(
      Array.from({ length: 44 }, (_, index) => expired(`hld_${MAX_EXPIRED_HOLDS_PER_COMMAND + index}`, AT)),
    );
    const after = rest.reduce(flightDecider.evolve, between);
    if (after.status === "unscheduled") throw new Error("it was scheduled");
    expect(seatStatus(after.occupancy, "economy", seatOf(LAST), AT)).toBe("held");
    expect(seatsLeft(after.occupancy, "economy", AT)).toBe(HOLDS - 1);
    expect(flightDecider.decide({ ...hold, holdId: "hld_other" }, after, AT).rejection?.code).toBe("seat_held");
    expect(flightDecider.decide({ type: "ExpireHolds" }, after, AT).events).toStrictEqual([]);
  });

  test("a lapsed hold can neither be released nor used, recorded or not", () => {
    const release = { type: "ReleaseHold", holdId: `hld_${LAST}`, accountId: "acc_1" } as const;
    expect(flightDecider.decide(release, state(), AT).rejection?.code).toBe("hold_not_active");
    const allocate = {
      type: "AllocateSeats",
      bookingId: "bkg_1",
      accountId: "acc_1",
      cabin: "economy",
      passengers: 1,
      seats: [],
      holdId: `hld_${LAST}`,
    } as const;
    expect(flightDecider.decide(allocate, state(), AT).rejection?.code).toBe("hold_not_found");
  });
});
