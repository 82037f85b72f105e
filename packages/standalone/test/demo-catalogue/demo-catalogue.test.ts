import { describe, expect, test } from "@jest/globals";
import { type CatalogueFlight, catalogueFile, toFlightPlan, toProblems } from "@travel-booking/api-contract";
import { type Cabin, CLIMATES, DAY, seatsOf } from "@travel-booking/domain";
import { demoCatalogue } from "../../src/demo-catalogue/demo-catalogue.ts";

const NOW = Date.UTC(2026, 10, 21, 13, 45);
const TODAY = Date.UTC(2026, 10, 21);
const catalogue = demoCatalogue(NOW);
const departure = (flight: CatalogueFlight) => Date.parse(flight.departsAt);
const flightsTo = (id: string) => catalogue.flights.filter(({ destinationId }) => destinationId === id);
const fareOf = (flight: CatalogueFlight, cabin: Cabin) => flight.cabins.find((it) => it.cabin === cabin)?.amount;

test.each([NOW, Date.UTC(2028, 1, 29), Date.UTC(2030, 11, 31, 23, 59)])("is a valid catalogue file (%d)", (now) => {
  const made = demoCatalogue(now);
  const result = catalogueFile.safeParse(made);
  expect(result.success ? [] : toProblems(result.error)).toStrictEqual([]);
  expect(result.data).toStrictEqual(made);
});

test("depends on the day alone", () => {
  expect(demoCatalogue(TODAY)).toStrictEqual(catalogue);
  expect(demoCatalogue(TODAY + DAY - 1)).toStrictEqual(catalogue);
  expect(demoCatalogue(TODAY + DAY).flights[0]?.departsAt).not.toBe(catalogue.flights[0]?.departsAt);
});

test("hands out nothing that two catalogues share", () => {
  const spoilt = demoCatalogue(NOW);
  for (const destination of spoilt.destinations) destination.name = "spoilt";
  for (const cabin of spoilt.flights.flatMap(({ cabins }) => cabins)) {
    cabin.rows[0] = 999;
    cabin.quietRows?.push(999);
    cabin.surcharges = Object.assign(cabin.surcharges ?? {}, { window: 999 });
  }
  expect(JSON.stringify(demoCatalogue(NOW))).not.toContain("999");
  expect(demoCatalogue(NOW).destinations[0]?.name).toBe("Proxima Centauri b");
});

describe("destinations", () => {
  test("are fourteen, nearest first, each with an id of its own", () => {
    expect(catalogue.destinations.map(({ id, distanceLy }) => `${id} ${distanceLy}`)).toStrictEqual([
      "proxima-centauri-b 4.24",
      "ross-128-b 11",
      "teegardens-star-b 12.5",
      "wolf-1061-c 14.1",
      "trappist-1-e 40.7",
      "55-cancri-e 41.1",
      "lhs-1140-b 48.8",
      "51-pegasi-b 50.6",
      "toi-700-d 101.4",
      "k2-18-b 124",
      "kepler-186f 579",
      "kepler-22b 635",
      "kepler-62f 981",
      "kepler-442b 1206",
    ]);
  });

  test("have every climate among them", () => {
    expect(new Set(catalogue.destinations.map(({ climate }) => climate))).toStrictEqual(new Set(CLIMATES));
  });
});

describe("flights", () => {
  test("are between 300 and 500, in the order of departure, with ids that tell where and when", () => {
    expect(catalogue.flights.length).toBeGreaterThanOrEqual(300);
    expect(catalogue.flights.length).toBeLessThanOrEqual(500);
    const keys = catalogue.flights.map(({ departsAt, id }) => `${departsAt} ${id}`);
    expect(keys).toStrictEqual(keys.toSorted());
    expect(new Set(catalogue.flights.map(({ id }) => id)).size).toBe(catalogue.flights.length);
    for (const { id, departsAt } of catalogue.flights) {
      expect(id).toMatch(new RegExp(`^[A-Z0-9]+-${departsAt.slice(0, 10).replaceAll("-", "")}$`));
    }
  });

  test.each(catalogue.destinations.map(({ id }) => id))("leave for %s every few weeks for two years", (id) => {
    const moments = flightsTo(id).map(departure);
    const gaps = moments.map((moment, index) => moment - (moments[index - 1] ?? TODAY));
    expect(Math.min(...moments)).toBeGreaterThan(TODAY + 3 * DAY);
    expect(Math.max(...gaps)).toBeLessThan(34 * DAY);
    expect(Math.max(...moments)).toBeGreaterThan(TODAY + 700 * DAY);
    expect(Math.max(...moments)).toBeLessThan(TODAY + 731 * DAY);
    expect(new Set(flightsTo(id).map(({ from }) => from)).size).toBeGreaterThanOrEqual(2);
  });

  test("take longer the farther they go; a year and more only beyond 700 light years", () => {
    const days = catalogue.destinations.map(({ id }) => flightsTo(id)[0]!.durationDays);
    expect(days).toStrictEqual([28, 46, 49, 52, 88, 89, 97, 98, 139, 154, 333, 348, 433, 480]);
  });

  test("cost more the farther they go and the higher the class", () => {
    const cheapest = catalogue.destinations.map(({ id }) =>
      Math.min(...flightsTo(id).map((it) => fareOf(it, "economy")!)),
    );
    expect(cheapest).toStrictEqual(cheapest.toSorted((one, other) => one - other));
    expect(new Set(cheapest).size).toBe(cheapest.length);
    expect(Math.min(...flightsTo("kepler-442b").map((it) => fareOf(it, "economy")!))).toBe(129_900);
    for (const { cabins } of catalogue.flights) {
      const amounts = cabins.map(({ amount }) => amount);
      expect(amounts).toStrictEqual(amounts.toSorted((one, other) => one - other));
    }
  });

  test("have cryosleep pods exactly on journeys longer than a year", () => {
    for (const { cabins, durationDays } of catalogue.flights) {
      for (const { cryosleepRows } of cabins) expect(cryosleepRows !== undefined).toBe(durationDays > 365);
    }
  });

  test("have exit rows, a blocked seat, and seats with and without a surcharge", () => {
    for (const flight of catalogue.flights) {
      const seats = toFlightPlan(flight).cabins.flatMap(seatsOf);
      expect(seats.some(({ price }) => price > 0)).toBe(true);
      expect(seats.some(({ price }) => price === 0)).toBe(true);
      expect(seats.some(({ features }) => features.includes("exit_row"))).toBe(true);
      expect(flight.cabins.flatMap(({ blocked }) => blocked ?? []).length).toBe(1);
      expect(flight.cabins.length).toBeGreaterThanOrEqual(2);
    }
  });
});
