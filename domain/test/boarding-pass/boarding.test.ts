import { describe, expect, test } from "@jest/globals";
import { boardingAtOf, boardingGroupOf, type CabinPlan, columnsOf, seatsOf, sequenceOf } from "../../src/index.ts";
import { business, economy } from "../flight/sample-flight.ts";

const cabin = (about: Partial<CabinPlan>): CabinPlan => ({ ...economy, blocked: [], ...about });
const first = cabin({ cabin: "first", rows: [1, 1], layout: "A K" });
const premium = cabin({ cabin: "premium_economy", rows: [5, 6] });
const rows10To14 = cabin({ rows: [10, 14] });

test("boarding begins 45 minutes before departure", () => {
  expect(boardingAtOf(Date.UTC(2027, 2, 1, 0, 15))).toBe(Date.UTC(2027, 1, 28, 23, 30));
});

describe("boarding group", () => {
  test.each([
    [first, 1, "voyager", "A"],
    [rows10To14, 10, "admiral", "A"],
    [business, 1, "voyager", "B"],
    [premium, 5, "pioneer", "B"],
    [premium, 6, "voyager", "C"],
    [rows10To14, 11, "voyager", "E"],
    [rows10To14, 12, "voyager", "D"],
    [rows10To14, 14, "voyager", "D"],
    [cabin({ rows: [7, 7] }), 7, "voyager", "D"],
  ] as const)("%#", (plan, row, tier, group) => {
    expect(boardingGroupOf(plan, row, tier)).toBe(group);
  });
});

describe("sequence", () => {
  const cabins = [rows10To14, first, premium, { ...business, rows: [2, 3] as const }];

  test("counts the higher cabins first, and of economy the rear half", () => {
    expect(
      ["1A", "1K", "2A", "5A", "12A", "14C", "10A", "11C"].map((seat) => sequenceOf({ cabins }, seat)),
    ).toStrictEqual([1, 2, 3, 7, 13, 21, 22, 27]);
  });

  test("every seat has one of its own, without a gap", () => {
    const seats = cabins.flatMap((plan) => seatsOf(plan).map(({ number }) => number));
    const numbers = seats.map((seat) => sequenceOf({ cabins }, seat)).sort((one, other) => one - other);
    expect(numbers).toStrictEqual(seats.map((_, index) => index + 1));
    expect(columnsOf(first)).toStrictEqual(["A", "K"]);
  });

  test("a seat the flight does not have has none", () => {
    expect(() => sequenceOf({ cabins }, "99A")).toThrow("no seat 99A");
  });
});
