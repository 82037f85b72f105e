import { describe, expect, test } from "@jest/globals";
import { automaticSeats, NO_SEAT_PREFERENCES, type PassengerSeatPreferences, seatsOf } from "../../../src/index.ts";
import { economy, NOW } from "../sample-flight.ts";
import { type CabinAbout, cabinWith } from "./cabins.ts";

const SIX_ABREAST: CabinAbout = { layout: "ABC DEF", rows: [10, 13] };
const nobody = (count: number): readonly PassengerSeatPreferences[] =>
  Array.from({ length: count }, () => NO_SEAT_PREFERENCES);
const likes = (seat: PassengerSeatPreferences["seat"], cryosleep = false): PassengerSeatPreferences => ({
  seat,
  cryosleep,
});

function chosen(about: CabinAbout, taken: readonly string[], wishes: readonly PassengerSeatPreferences[]) {
  return automaticSeats(cabinWith(about, taken), "economy", wishes, NOW);
}

describe("a party sits together", () => {
  test.each<[string, readonly string[], number, readonly string[] | undefined]>([
    ["two beside each other rather than across the aisle", ["10B", "10E"], 2, ["11A", "11B"]],
    [
      "across the aisle rather than with a stranger between",
      ["10A", "10B", "10F", "11", "12", "13"],
      2,
      ["10D", "10E"],
    ],
    ["four in one row", [], 4, ["10A", "10B", "10C", "10D"]],
    ["nine in two rows that lie together", [], 9, ["10A", "10B", "10C", "10D", "10E", "10F", "11A", "11B", "11C"]],
    [
      "as near as can be where nothing is together",
      ["10", "11B", "11C", "11D", "11E", "11F", "13"],
      7,
      ["11A", "12A", "12B", "12C", "12D", "12E", "12F"],
    ],
    ["nobody where there is no room for all", ["10", "11", "12", "13A", "13B"], 5, undefined],
  ])("%s", (_, taken, size, seats) => {
    const all = seatsOf({ ...economy, ...SIX_ABREAST }).map(({ number }) => number);
    const isTaken = (seat: string) => taken.includes(seat) || taken.includes(seat.slice(0, -1));
    expect(chosen(SIX_ABREAST, all.filter(isTaken), nobody(size))).toStrictEqual(seats);
  });
});

describe("wishes", () => {
  test("each passenger of a party gets the kind of seat they like, in their order", () => {
    expect(chosen(SIX_ABREAST, [], [likes("aisle"), likes("window"), likes("middle")])).toStrictEqual([
      "10C",
      "10A",
      "10B",
    ]);
  });

  test("alone, the first seat of that kind", () => {
    expect(chosen(SIX_ABREAST, ["10A"], [likes("window")])).toStrictEqual(["10F"]);
    expect(chosen(SIX_ABREAST, [], [likes("middle")])).toStrictEqual(["10B"]);
  });

  test("they do not part a party", () => {
    expect(chosen(SIX_ABREAST, [], [likes("window"), likes("window")])).toStrictEqual(["10A", "10B"]);
  });

  test("a cryosleep pod, on journeys longer than a year alone", () => {
    const pods: CabinAbout = { ...SIX_ABREAST, cryosleepRows: [12] };
    expect(chosen({ ...pods, durationDays: 366 }, [], [likes("any", true)])).toStrictEqual(["12A"]);
    expect(chosen({ ...pods, durationDays: 365 }, [], [likes("any", true)])).toStrictEqual(["10A"]);
    expect(chosen({ ...pods, durationDays: 366 }, [], [likes("window", true), likes("aisle", true)])).toStrictEqual([
      "12A",
      "12B",
    ]);
  });

  test("exit rows, accessible seats and pods are kept for those who look for them", () => {
    const about: CabinAbout = {
      ...SIX_ABREAST,
      rows: [10, 12],
      exitRows: [10],
      cryosleepRows: [11],
      accessible: ["12A"],
    };
    expect(chosen(about, [], nobody(1))).toStrictEqual(["12B"]);
    expect(chosen(about, ["12B", "12C", "12D", "12E", "12F"], nobody(1))).toStrictEqual(["10A"]);
  });
});
