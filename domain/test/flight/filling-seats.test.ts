import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type FreeSeat, freeSeats } from "../../src/flight/closest-parties.ts";
import { type CabinPlan, FillingSeats } from "../../src/index.ts";
import { type CabinAbout, planOf } from "./brute-force-seats.ts";

const seatsIn = (about: CabinAbout) => freeSeats(planOf(about).cabins[0] as CabinPlan, () => true);

test("each party sits as if nobody had been seated before with the same search", () => {
  const cabins = fc.record({
    layout: fc.constantFrom("ABC DEF", "AB CDE FG", "A B C D", "AB CD"),
    rows: fc.integer({ min: 1, max: 8 }).map((last) => [1, last] as const),
    exitRows: fc.subarray([2, 3, 7]),
    accessible: fc.subarray(["1A", "2C", "4A"]),
  });
  const parties = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 });
  fc.assert(
    fc.property(cabins, parties, fc.array(fc.boolean()), (about, sizes, taken) => {
      let left = seatsIn(about).map((row) =>
        row.filter(({ column }) => taken[row.length * (row[0]?.row ?? 0) + column] !== true),
      );
      const filling = new FillingSeats(left);
      for (const size of sizes) {
        const seats = new FillingSeats(left).seat(size);
        expect(filling.seat(size)).toStrictEqual(seats);
        left = left.map((row) => row.filter((place) => seats?.includes(place) !== true));
      }
    }),
    { numRuns: 150 },
  );
});

const ALL_AISLES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("").join(" ");

/** How often a row or column of a seat is read, for each party. */
test.each([
  ["ABC DEF GHJ", 1_250, 4, 2_500, 300],
  ["ABC DEF GHJ", 1_000, 9, 900, 300],
  ["AB CD", 500, 9, 200, 4_000],
  [ALL_AISLES, 100, 4, 300, 2_500],
  [ALL_AISLES, 100, 9, 280, 8_000],
])("%s, %i rows, parties of %i: no search of the whole ship for each", (layout, last, size, parties, most) => {
  let looks = 0;
  const look = <Value>(value: Value) => {
    looks += 1;
    return value;
  };
  const counted = ({ seat, row, column, block }: FreeSeat): FreeSeat => ({
    seat,
    block,
    get row() {
      return look(row);
    },
    get column() {
      return look(column);
    },
  });
  const filling = new FillingSeats(
    seatsIn({ layout, rows: [1, last], exitRows: [3] }).map((row) => row.map((place) => counted(place))),
  );
  for (let party = 0; party < parties; party += 1) expect(filling.seat(size)).toHaveLength(size);
  expect(looks / parties).toBeLessThan(most);
});
