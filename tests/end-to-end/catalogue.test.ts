import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DestinationBody, FlightBody, SeatMapBody } from "@travel-booking/api-contract";
import { expectStatus, type Page } from "./kit/client.ts";
import { expectProblems, messageOf } from "./kit/problems.ts";
import { DESTINATIONS, ECONOMY_SEATS, openWorld, readAllEntries, type World } from "./kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "LATE", departsIn: 30 },
      { id: "EARLY", departsIn: 10 },
      { id: "ARID", departsIn: 20, destinationId: "proxima-b" },
      { id: "twin-b", departsIn: 25 },
      { id: "twin-a", departsIn: 25 },
    ],
  });
});
afterAll(() => world.discard());

const [KEPLER, PROXIMA, TRAPPIST] = DESTINATIONS;
const BY_DEPARTURE = ["EARLY", "ARID", "twin-a", "twin-b", "LATE"];
const idsOf = (flights: readonly { readonly id: string }[]) => flights.map(({ id }) => id);

describe("destinations", () => {
  test("newest first", async () => {
    const list = expectStatus(200, await world.alice.get<Page<DestinationBody>>("/v1/destinations"));
    expect(list).toStrictEqual({ data: [TRAPPIST, PROXIMA, KEPLER], page: { nextCursor: null, hasMore: false } });
  });

  test("of one climate, and of one nobody has", async () => {
    const of = async (climate: string) =>
      expectStatus(200, await world.alice.get<Page<DestinationBody>>(`/v1/destinations?climate=${climate}`)).data;
    expect(await of("temperate")).toStrictEqual([TRAPPIST, KEPLER]);
    expect(await of("volcanic")).toStrictEqual([]);
  });

  test("page by page", async () => {
    expect(await readAllEntries(world.alice, "/v1/destinations", 1)).toStrictEqual([TRAPPIST, PROXIMA, KEPLER]);
    expect(await readAllEntries(world.alice, "/v1/destinations?climate=temperate", 1)).toStrictEqual([
      TRAPPIST,
      KEPLER,
    ]);
    const full = expectStatus(200, await world.alice.get<Page<DestinationBody>>("/v1/destinations?limit=3"));
    expect(full.page).toStrictEqual({ nextCursor: null, hasMore: false });
  });

  test("one, and none", async () => {
    expect(expectStatus(200, await world.alice.get("/v1/destinations/proxima-b"))).toStrictEqual(PROXIMA);
    expect(messageOf(await world.alice.get("/v1/destinations/earth"))).toBe("no destination with this id");
  });
});

describe("flights", () => {
  test("every one, by departure time, then id", async () => {
    const { data } = expectStatus(200, await world.alice.get<Page<FlightBody>>("/v1/flights"));
    expect(idsOf(data)).toStrictEqual(BY_DEPARTURE);
    expect(idsOf(await readAllEntries<FlightBody>(world.alice, "/v1/flights", 2))).toStrictEqual(BY_DEPARTURE);
  });

  test("with their fares, cheapest first", async () => {
    const flight = expectStatus(200, await world.alice.get<FlightBody>("/v1/flights/LATE"));
    expect(flight).toStrictEqual({
      id: "LATE",
      from: "LEO",
      destinationId: "kepler-442b",
      departsAt: flight.departsAt,
      durationDays: 480,
      fares: [
        { cabin: "economy", amount: 129_900, currency: "USD", seatsLeft: ECONOMY_SEATS },
        { cabin: "business", amount: 500_000, currency: "USD", seatsLeft: 4 },
      ],
    });
    const listed = expectStatus(200, await world.alice.get<Page<FlightBody>>("/v1/flights")).data;
    expect(listed.at(-1)).toStrictEqual(flight);
  });

  test("to one destination", async () => {
    expect(
      idsOf(await readAllEntries<FlightBody>(world.alice, "/v1/flights?destinationId=kepler-442b", 2)),
    ).toStrictEqual(BY_DEPARTURE.filter((id) => id !== "ARID"));
    for (const destinationId of ["earth", "%F0%9F%9A%80".repeat(120), "kepler-442b%2F"]) {
      const none = await world.alice.get<Page<FlightBody>>(`/v1/flights?destinationId=${destinationId}`);
      expect(expectStatus(200, none).data).toStrictEqual([]);
    }
  });

  test("from a day on, the whole of it included", async () => {
    const { departsAt } = expectStatus(200, await world.alice.get<FlightBody>("/v1/flights/twin-a"));
    const from = async (date: string, more = "") =>
      idsOf(await readAllEntries<FlightBody>(world.alice, `/v1/flights?departsAfter=${date}${more}`, 1));
    const day = departsAt.slice(0, 10);
    const next = new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10);
    expect(await from(day)).toStrictEqual(["twin-a", "twin-b", "LATE"]);
    expect(await from(next)).toStrictEqual(["LATE"]);
    expect(await from(day, "&destinationId=proxima-b")).toStrictEqual([]);
    expect(await from("0000-01-01")).toStrictEqual(BY_DEPARTURE);
    expect(await from("9999-12-31")).toStrictEqual([]);
  });

  test("before a day, from a spaceport, with a cabin", async () => {
    const { departsAt, from } = expectStatus(200, await world.alice.get<FlightBody>("/v1/flights/twin-a"));
    const list = async (query: string) =>
      idsOf(await readAllEntries<FlightBody>(world.alice, `/v1/flights?${query}`, 1));
    const day = departsAt.slice(0, 10);
    expect(await list(`departsBefore=${day}`)).toStrictEqual(BY_DEPARTURE.slice(0, BY_DEPARTURE.indexOf("twin-a")));
    expect(await list(`from=${from}&cabin=economy`)).toStrictEqual(BY_DEPARTURE);
    expect(await list("from=NONE")).toStrictEqual([]);
    expect(await list("cabin=premium_economy")).toStrictEqual([]);
  });

  test("none with this id", async () => {
    expect(messageOf(await world.alice.get("/v1/flights/none"))).toBe("no flight with this id");
    expect(messageOf(await world.alice.get("/v1/flights/none/seat-map"))).toBe("no flight with this id");
  });
});

describe("the legacy search", () => {
  test("answers a bare array, and says what succeeds it", async () => {
    const answer = await world.alice.get<FlightBody[]>("/v1/flights/search?destinationId=kepler-442b");
    expect(idsOf(expectStatus(200, answer))).toStrictEqual(BY_DEPARTURE.filter((id) => id !== "ARID"));
    const { headers } = answer;
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(headers.get("sunset")).toBe("Mon, 01 Nov 2027 00:00:00 GMT");
    expect(headers.get("link")).toBe('</v1/flights>; rel="successor-version"');
  });

  test("by day, by both, by nothing", async () => {
    const { departsAt } = expectStatus(200, await world.alice.get<FlightBody>("/v1/flights/ARID"));
    const date = departsAt.slice(0, 10);
    const search = async (query: string) =>
      idsOf(expectStatus(200, await world.alice.get<FlightBody[]>(`/v1/flights/search${query}`)));
    expect(await search(`?date=${date}`)).toStrictEqual(["ARID"]);
    expect(await search(`?date=${date}&destinationId=kepler-442b`)).toStrictEqual([]);
    expect(await search("")).toStrictEqual(BY_DEPARTURE);
  });

  test("takes no pages", async () => {
    expectProblems(await world.alice.get("/v1/flights/search?limit=1&date=2027-02-30"), [
      "date is not a day of the calendar",
      "limit is not a known parameter",
    ]);
  });
});

describe("a seat map", () => {
  const seatOf = (map: SeatMapBody, number: string) =>
    map.cabins.flatMap(({ rows }) => rows.flatMap(({ seats }) => seats)).find((seat) => seat.number === number);

  test("has cabins, rows and seats with their features and surcharges", async () => {
    const map = expectStatus(200, await world.alice.get<SeatMapBody>("/v1/flights/LATE/seat-map"));
    expect(map.flightId).toBe("LATE");
    expect(
      map.cabins.map(({ rows, ...cabin }) => ({ ...cabin, rows: rows.map(({ number }) => number) })),
    ).toStrictEqual([
      { cabin: "business", deck: 1, columns: ["A", "D"], aisles: [1], rows: [1, 2] },
      {
        cabin: "economy",
        deck: 2,
        columns: ["A", "B", "C", "D", "E", "F"],
        aisles: [3],
        rows: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
      },
    ]);
    expect(seatOf(map, "14A")).toStrictEqual({
      number: "14A",
      status: "available",
      features: expect.arrayContaining(["window", "exit_row", "extra_legroom"]),
      price: 6_500,
      currency: "USD",
    });
    expect(seatOf(map, "10B")).toMatchObject({ features: ["middle", "bulkhead"], price: 0 });
    expect(seatOf(map, "12C")).toMatchObject({ features: ["aisle"], price: 0 });
    expect(seatOf(map, "19F")).toMatchObject({ status: "blocked", price: 2_500 });
  });

  test("shows what is held and booked, at once to whoever did it", async () => {
    expectStatus(201, await world.alice.hold("LATE", ["11A", "11B"]));
    expectStatus(201, await world.alice.book("LATE", { seats: ["11C"] }));
    const map = expectStatus(200, await world.alice.get<SeatMapBody>("/v1/flights/LATE/seat-map"));
    expect(["11A", "11B", "11C", "11D"].map((number) => seatOf(map, number)?.status)).toStrictEqual([
      "held",
      "held",
      "booked",
      "available",
    ]);
  });

  test("has a strong ETag: 304 until a seat changes", async () => {
    const path = "/v1/flights/EARLY/seat-map";
    const first = await world.alice.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const unchanged = await world.alice.get(path, { "if-none-match": sent });
      expect([unchanged.status, unchanged.headers.get("etag")]).toStrictEqual([304, tag]);
    }
    expect((await world.alice.get(path, { "if-none-match": '"other"' })).text).toBe(first.text);
    expectStatus(201, await world.alice.hold("EARLY", ["10A"]));
    const changed = await world.alice.get(path, { "if-none-match": tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });
});
