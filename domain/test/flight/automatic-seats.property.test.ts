import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { automaticSeats, type CabinPlan, type PassengerSeatPreferences, seatStatus, seatsOf } from "../../src/index.ts";
import { bruteForceBestSeats, type CabinAbout, cabinWith, planOf, scoreOf } from "./brute-force-seats.ts";
import { NOW } from "./sample-flight.ts";

const wish: fc.Arbitrary<PassengerSeatPreferences> = fc.record({
  seat: fc.constantFrom("any", "any", "window", "middle", "aisle"),
  cryosleep: fc.boolean(),
});

function cabinOf(layouts: readonly string[], mostRows: number): fc.Arbitrary<CabinAbout> {
  return fc
    .record({
      layout: fc.constantFrom(...layouts),
      first: fc.integer({ min: 1, max: 20 }),
      count: fc.integer({ min: 1, max: mostRows }),
      exit: fc.option(fc.nat({ max: mostRows - 1 })),
      pod: fc.option(fc.nat({ max: mostRows - 1 })),
      durationDays: fc.constantFrom(365, 366),
    })
    .map(({ layout, first, count, exit, pod, durationDays }) => {
      const rowsAt = (offset: number | null) => (offset === null || offset >= count ? [] : [first + offset]);
      return {
        layout,
        rows: [first, first + count - 1] as const,
        exitRows: rowsAt(exit),
        cryosleepRows: rowsAt(pod),
        accessible: [`${first}A`],
        durationDays,
      };
    });
}

/** A cabin, the seats of it that are taken or blocked, and who wants to sit. */
function cases(layouts: readonly string[], mostRows: number, largestParty: number) {
  return cabinOf(layouts, mostRows).chain((about) => {
    const seats = seatsOf(planOf(about).cabins[0] as CabinPlan).map(({ number }) => number);
    return fc.record({
      about: fc.constant(about),
      taken: fc.subarray(seats),
      blocked: fc.subarray(seats, { maxLength: Math.min(2, seats.length) }),
      wishes: fc.array(wish, { minLength: 1, maxLength: largestParty }),
    });
  });
}

type Case = { about: CabinAbout; taken: string[]; blocked: string[]; wishes: PassengerSeatPreferences[] };

function occupancyOf({ about, taken, blocked }: Case) {
  return cabinWith(
    { ...about, blocked },
    taken.filter((seat) => !blocked.includes(seat)),
  );
}

test("a seat each: free, of the cabin, all different; and the same ones for whoever asks again", () => {
  fc.assert(
    fc.property(cases(["ABC DEF", "AB CDE FG", "A", "AB CD"], 30, 9), (given) => {
      const occupancy = occupancyOf(given);
      const all = seatsOf(occupancy.plan.cabins[0] as CabinPlan).map(({ number }) => number);
      const free = all.filter((seat) => seatStatus(occupancy, "economy", seat, NOW) === "available");
      const seats = automaticSeats(occupancy, "economy", given.wishes, NOW);
      if (free.length < given.wishes.length) return seats === undefined;
      expect(automaticSeats(occupancyOf(given), "economy", given.wishes, NOW)).toStrictEqual(seats);
      return (
        seats !== undefined &&
        seats.length === given.wishes.length &&
        new Set(seats).size === seats.length &&
        seats.every((seat) => free.includes(seat))
      );
    }),
    { numRuns: 300 },
  );
});

test("no seating is closer together, and none as close meets more wishes", () => {
  fc.assert(
    fc.property(cases(["AB C", "A B", "ABC", "AB CD"], 3, 4), (given) => {
      const occupancy = occupancyOf(given);
      const [plan] = occupancy.plan.cabins as readonly [CabinPlan];
      const { durationDays } = occupancy.plan;
      const free = seatsOf(plan)
        .map(({ number }) => number)
        .filter((seat) => seatStatus(occupancy, "economy", seat, NOW) === "available");
      const seats = automaticSeats(occupancy, "economy", given.wishes, NOW);
      const best = bruteForceBestSeats(plan, durationDays, free, given.wishes);
      expect(seats === undefined ? undefined : scoreOf(plan, durationDays, seats, given.wishes)).toStrictEqual(best);
    }),
    { numRuns: 400 },
  );
});
