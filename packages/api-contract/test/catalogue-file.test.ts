import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { type CatalogueFile, catalogueFile, toFlightPlan } from "../src/index.ts";
import { problemsWith } from "./problems.ts";

const destination = {
  id: "kepler-442b",
  name: "Kepler-442b",
  system: "Kepler-442",
  distanceLy: 1206,
  gravity: 1.3,
  climate: "temperate",
};
const economy = {
  cabin: "economy",
  deck: 1,
  amount: 129_900,
  currency: "USD",
  layout: "ABC DEF",
  rows: [10, 29],
  exitRows: [14],
  cryosleepRows: [28, 29],
  blocked: ["29F"],
  surcharges: { exit_row: 4_000, window: 2_500 },
};
const first = { cabin: "first", deck: 2, amount: 900_000, currency: "USD", layout: "A D", rows: [1, 3] };
const flight = {
  id: "KP442-20270301",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: "2027-03-01T09:00:00Z",
  durationDays: 480,
  cabins: [economy, first],
};
const file = { destinations: [destination], flights: [flight] };
const withFlight = (change: object) => ({ ...file, flights: [{ ...flight, ...change }] });
const withCabin = (change: object) => withFlight({ cabins: [{ ...economy, ...change }] });
const withDestination = (change: object) => ({ ...file, destinations: [{ ...destination, ...change }] });

describe("the file", () => {
  test.each([
    ["the example", file],
    ["nothing at all", { destinations: [], flights: [] }],
    ["flights to a place imported earlier", { ...file, destinations: [] }],
    ["an offset", withFlight({ departsAt: "2027-03-01T10:00:00+01:00" })],
    ["a journey of a hundred years", withFlight({ durationDays: 36_525 })],
    ["cabins side by side in one row", withFlight({ cabins: [economy, { ...first, rows: [10, 12], layout: "G K" }] })],
  ])("accepts %s and keeps it as it is", (_case, value) => {
    expect(catalogueFile.parse(value)).toStrictEqual(value);
  });

  const cabin = "flights[0].cabins[0]";
  test.each([
    ["nothing", {}, ["destinations is required", "flights is required"]],
    ["a list", [], ["body must be an object"]],
    [
      "a destination twice",
      { ...file, destinations: [destination, destination] },
      ["destinations[1].id is in the file twice"],
    ],
    ["a flight twice", { ...file, flights: [flight, flight] }, ["flights[1].id is in the file twice"]],
    ["a negative distance", withDestination({ distanceLy: -1 }), ["destinations[0].distanceLy must be at least 0"]],
    ["no gravity", withDestination({ gravity: 0 }), ["destinations[0].gravity must be more than 0"]],
    ["an unknown field", withDestination({ mass: 1 }), ["destinations[0].mass is not a known field"]],
    [
      "a spaceport in lower case",
      withFlight({ from: "leo" }),
      ["flights[0].from must be a spaceport code of 2 to 8 capital letters and digits"],
    ],
    [
      "a local time",
      withFlight({ departsAt: "2027-03-01T09:00:00" }),
      ["flights[0].departsAt must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z"],
    ],
    ["a journey of no time", withFlight({ durationDays: 0 }), ["flights[0].durationDays must be more than 0"]],
    [
      "a journey of more than a hundred years",
      withFlight({ durationDays: 36_525.5 }),
      ["flights[0].durationDays must be at most 36525"],
    ],
    [
      "a flight that is called like a part of a path",
      withFlight({ id: "search" }),
      ["flights[0].id must not be search, a fixed part of the interface's paths"],
    ],
    [
      "a destination that is called like a part of a path",
      { destinations: [{ ...destination, id: "seat-map" }], flights: [] },
      ["destinations[0].id must not be seat-map, a fixed part of the interface's paths"],
    ],
    ...[".", "..", "-a", "a/b", ""].map((id) => {
      const problem = "must be 1 to 64 letters, digits or any of . _ ~ -, the first a letter or digit";
      return [`a flight called "${id}"`, withFlight({ id }), [`flights[0].id ${problem}`]] as const;
    }),
    ["no cabins", withFlight({ cabins: [] }), ["flights[0].cabins must have at least 1 entry"]],
    [
      "an unknown class",
      withCabin({ cabin: "cargo" }),
      [`${cabin}.cabin must be one of economy, premium_economy, business, first`],
    ],
    ["half a cent", withCabin({ amount: 0.5 }), [`${cabin}.amount must be a whole number`]],
    ["a negative fare", withCabin({ amount: -1 }), [`${cabin}.amount must be at least 0`]],
    [
      "a fare no sum of nine could hold",
      withCabin({ amount: 1_000_000_000_001 }),
      [`${cabin}.amount must be at most 1000000000000`],
    ],
    [
      "a currency's name",
      withCabin({ currency: "dollar" }),
      [`${cabin}.currency must be an ISO 4217 code, such as USD`],
    ],
    ...["ZZZ", "DEM", "XXX"].map((currency) => {
      const problem = `${cabin}.currency must be a currency of ISO 4217, such as USD; ${currency} is none`;
      return [`${currency} for a currency`, withCabin({ currency }), [problem]] as const;
    }),
    [
      "a layout in lower case",
      withCabin({ layout: "abc def" }),
      [`${cabin}.layout must be columns A to Z with single spaces for aisles, such as ABC DEF`],
    ],
    [
      "an aisle at the wall",
      withCabin({ layout: " ABC" }),
      [`${cabin}.layout must be columns A to Z with single spaces for aisles, such as ABC DEF`],
    ],
    ["one row number", withCabin({ rows: [10] }), [`${cabin}.rows must have at least 2 entries`]],
    ["three row numbers", withCabin({ rows: [1, 2, 3] }), [`${cabin}.rows must have at most 2 entries`]],
    ["row 0", withCabin({ rows: [0, 29] }), [`${cabin}.rows[0] must be at least 1`]],
    ["row 1000", withCabin({ rows: [10, 1_000] }), [`${cabin}.rows[1] must be at most 999`]],
    [
      "an unknown surcharge",
      withCabin({ surcharges: { minibar: 1 } }),
      [`${cabin}.surcharges.minibar is not a known field`],
    ],
    [
      "a negative surcharge",
      withCabin({ surcharges: { window: -1 } }),
      [`${cabin}.surcharges.window must be at least 0`],
    ],
    [
      "cabins that contradict themselves",
      withCabin({ layout: "ABA", exitRows: [5], blocked: ["29F"], cryosleepRows: undefined }),
      [
        "flights[0] contradicts itself: economy: column A is there twice",
        "flights[0] contradicts itself: economy: exitRows: there is no row 5",
        "flights[0] contradicts itself: economy: blocked: there is no seat 29F",
      ],
    ],
    [
      "reversed rows",
      withCabin({ rows: [29, 10] }),
      ["flights[0] contradicts itself: economy: rows 29 to 10 are reversed"],
    ],
    [
      "one class twice",
      withFlight({ cabins: [economy, { ...economy, rows: [30, 40], exitRows: [], cryosleepRows: [], blocked: [] }] }),
      ["flights[0] contradicts itself: cabin economy is there twice"],
    ],
    [
      "seat numbers shared by two cabins",
      withFlight({ cabins: [economy, { ...first, rows: [8, 10] }] }),
      ["flights[0] contradicts itself: economy and first share seat numbers"],
    ],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(catalogueFile, value)).toStrictEqual(problems);
  });

  test("has a JSON Schema to publish", () => {
    const { properties } = z.toJSONSchema(catalogueFile, { io: "input" });
    expect(Object.keys(properties ?? {})).toStrictEqual(["destinations", "flights"]);
  });
});

describe("the plan of a flight", () => {
  const planOf = (value: object) => {
    const parsed: CatalogueFile = catalogueFile.parse(value);
    return toFlightPlan(parsed.flights[0]!);
  };

  test("has everything the file says, and nothing where it is silent", () => {
    expect(planOf(file)).toStrictEqual({
      flightId: "KP442-20270301",
      from: "LEO",
      destinationId: "kepler-442b",
      departsAt: Date.UTC(2027, 2, 1, 9),
      durationDays: 480,
      cabins: [
        {
          cabin: "economy",
          deck: 1,
          amount: 129_900,
          currency: "USD",
          layout: "ABC DEF",
          rows: [10, 29],
          exitRows: [14],
          cryosleepRows: [28, 29],
          quietRows: [],
          accessible: [],
          blocked: ["29F"],
          surcharges: [
            { feature: "window", amount: 2_500 },
            { feature: "exit_row", amount: 4_000 },
          ],
        },
        {
          cabin: "first",
          deck: 2,
          amount: 900_000,
          currency: "USD",
          layout: "A D",
          rows: [1, 3],
          exitRows: [],
          cryosleepRows: [],
          quietRows: [],
          accessible: [],
          blocked: [],
          surcharges: [],
        },
      ],
    });
  });

  test("is the same however the file orders its fields and writes its times", () => {
    const surcharges = { window: 2_500, exit_row: 4_000 };
    const reordered = withFlight({
      departsAt: "2027-03-01T10:00:00+01:00",
      cabins: [{ ...economy, surcharges }, first],
    });
    expect(planOf(reordered)).toStrictEqual(planOf(file));
  });
});
