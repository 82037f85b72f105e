import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  flightSchema,
  getSeatHoldOperation,
  listFlightsOperation,
  searchFlightsOperation,
  seatMapSchema,
} from "@travel-booking/api-contract";
import { MINUTE } from "@travel-booking/domain";
import { timeSortKey } from "@travel-booking/read-models";
import { allocated, held, retime, schedule, shown } from "./kit/flights.ts";
import { type ApiReader, errorOf, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

const NOW = Date.parse("2027-01-01T09:00:00Z");
const HOLD_ENDS = NOW + 15 * MINUTE;

let service: ReadService;
let read: ApiReader;
beforeEach(async () => {
  service = await startReadService(NOW);
  read = await service.openAccount("acc_1");
});
afterEach(() => service.stop());

describe("lists of flights", () => {
  const [EARLY, NIGHT, MORNING] = ["2027-02-01T09:00:00Z", "2027-02-01T23:59:59.999Z", "2027-02-02T00:00:00Z"];
  const early = shown("F-9", EARLY);
  const night = shown("F-5", NIGHT, 3, "trappist");
  const [morning, sameTime] = [shown("F-2", MORNING), shown("F-3", MORNING)];

  beforeEach(async () => {
    await schedule(service, "F-3", MORNING);
    await schedule(service, "F-5", NIGHT, "trappist");
    await schedule(service, "F-9", EARLY);
    await schedule(service, "F-2", MORNING);
  });

  test("by departure time, then id", async () => {
    const answer = await read("/v1/flights");
    expect(answer.body).toStrictEqual({
      data: [early, night, morning, sameTime],
      page: { nextCursor: null, hasMore: false },
    });
    expect(listFlightsOperation.success.body.safeParse(answer.body).success).toBe(true);
    expect(await readAllPages(read, "/v1/flights?limit=1")).toStrictEqual([[early], [night], [morning], [sameTime]]);
  });

  test("from a day on, to a destination, or both", async () => {
    const list = async (query: string) => (await readAllPages(read, `/v1/flights?${query}`)).flat();
    expect(await list("departsAfter=2027-02-02")).toStrictEqual([morning, sameTime]);
    expect(await list("departsAfter=2027-02-01&limit=2")).toStrictEqual([early, night, morning, sameTime]);
    expect(await list("departsAfter=2027-02-03")).toStrictEqual([]);
    expect(await list("departsAfter=0001-01-01")).toHaveLength(4);
    expect(await list("departsAfter=9999-12-31")).toStrictEqual([]);
    expect(await list("destinationId=trappist")).toStrictEqual([night]);
    expect(await list("destinationId=kepler&departsAfter=2027-02-02&limit=1")).toStrictEqual([morning, sameTime]);
    expect(await list("destinationId=nowhere")).toStrictEqual([]);
    expect((await read("/v1/flights?departsAfter=2027-02-30")).status).toBe(400);
  });

  test("before a day, from a spaceport, with a cabin", async () => {
    const list = async (query: string) => (await readAllPages(read, `/v1/flights?${query}`)).flat();
    expect(await list("departsBefore=2027-02-02")).toStrictEqual([early, night]);
    expect(await list("departsAfter=2027-02-01&departsBefore=2027-02-01")).toStrictEqual([]);
    expect(await list("departsAfter=2027-02-02&departsBefore=2027-02-01")).toStrictEqual([]);
    expect(await list("destinationId=kepler&departsBefore=2027-02-03&limit=1")).toStrictEqual([
      early,
      morning,
      sameTime,
    ]);
    expect(await list("from=LEO&limit=3")).toStrictEqual([early, night, morning, sameTime]);
    expect(await list("from=MARS")).toStrictEqual([]);
    expect(await list("cabin=first&limit=1&departsAfter=2027-02-02")).toStrictEqual([morning, sameTime]);
    expect(await list("cabin=business")).toStrictEqual([]);
    const refused = await read("/v1/flights?cabin=none&from=leo&departsBefore=soon");
    expect([refused.status, (refused.body as { message: string[] }).message.length]).toStrictEqual([400, 3]);
  });

  test("a flight that is added while paging neither hides nor repeats another", async () => {
    const first = (await read("/v1/flights?limit=2")).body as { data: unknown[]; page: { nextCursor: string } };
    await schedule(service, "F-1", EARLY);
    await schedule(service, "F-25", MORNING);
    const rest = (await read(`/v1/flights?cursor=${first.page.nextCursor}`)).body as { data: unknown[] };
    expect([...first.data, ...rest.data]).toStrictEqual([early, night, morning, shown("F-25", MORNING), sameTime]);
  });

  test("a flight that is retimed while paging is skipped by no list in progress, and repeated by no later one", async () => {
    const others = (cursor: string, query = "") => readAllPages(read, `/v1/flights?limit=1${query}`, cursor);
    const begin = async (limit: number, query = "") =>
      ((await read(`/v1/flights?limit=${limit}${query}`)).body as { page: { nextCursor: string } }).page.nextCursor;
    const later = "&departsAfter=2027-02-02&from=LEO";
    const cursor = await begin(2);
    const [toKepler, fromMorning] = [await begin(2, "&destinationId=kepler"), await begin(1, later)];
    await retime(service, "F-3", "2027-02-01T10:00:00Z");
    await retime(service, "F-2", "2027-02-01T09:30:00Z");
    await retime(service, "F-5", "2027-02-03T00:00:00Z");
    await retime(service, "F-3", "2027-02-01T11:00:00Z", 2);
    const [f2, f3] = [shown("F-2", "2027-02-01T09:30:00Z"), shown("F-3", "2027-02-01T11:00:00Z")];
    const f5 = shown("F-5", "2027-02-03T00:00:00Z", 3, "trappist");
    const rest = (await others(cursor)).flat();
    expect(rest).toStrictEqual([f5, f2, f5, f3]);
    expect((await others(toKepler, "&destinationId=kepler")).flat()).toStrictEqual([f2, f3]);
    expect((await others(fromMorning, later)).flat()).toStrictEqual([f5, f5]);
    expect((await readAllPages(read, "/v1/flights?limit=1")).flat()).toStrictEqual([early, f2, f3, f5]);

    // A cursor of a release that retimed nothing.
    const scope = { operationId: listFlightsOperation.id, accountId: null, filters: {} };
    const former = service.cursors.encode(scope, timeSortKey(Date.parse(NIGHT), "F-5"));
    expect((await others(former)).flat()).toStrictEqual([f5, f2, f5, f3]);
  });

  test("legacy search: a bare array, and where to go instead", async () => {
    const answer = await read("/v1/flights/search?date=2027-02-01");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual([early, night]);
    expect(searchFlightsOperation.success.body.safeParse(answer.body).success).toBe(true);
    expect(answer.headers.get("deprecation")).toBe("@1793491200");
    expect(answer.headers.get("sunset")).toBe("Mon, 01 Nov 2027 00:00:00 GMT");
    expect(answer.headers.get("link")).toBe('</v1/flights>; rel="successor-version"');
    expect((await read("/v1/flights/search?date=2027-02-01&destinationId=trappist")).body).toStrictEqual([night]);
    expect((await read("/v1/flights/search")).body).toStrictEqual([early, night, morning, sameTime]);
    expect((await read("/v1/flights/search?date=2028-01-01")).text).toBe("[]");
    expect((await read("/v1/flights/search?limit=2")).status).toBe(400);
  });

  test("legacy search: at most 100", async () => {
    for (let number = 100; number < 200; number += 1) await schedule(service, `G-${number}`, EARLY, "gliese");
    expect((await read("/v1/flights/search?destinationId=gliese")).body).toHaveLength(100);
    await schedule(service, "G-200", EARLY, "gliese");
    const found = (await read("/v1/flights/search?destinationId=gliese")).body as { id: string }[];
    expect(found.map(({ id }) => id)).toStrictEqual(Array.from({ length: 100 }, (_, index) => `G-${index + 100}`));
  });
});

describe("a hold", () => {
  const get = (as: ApiReader, path = "F/seat-holds/h1") => as(`/v1/flights/${path}`);

  test("as it is now, its owner's alone, also when it has ended", async () => {
    await schedule(service, "F", "2027-02-01T09:00:00Z");
    await service.record("flight-F", held(NOW, "h1", ["10A"], HOLD_ENDS), held(NOW, "h2", ["10B"], HOLD_ENDS));
    const shown = (id: string, status: string, seats: readonly string[]) => {
      const times = { createdAt: "2027-01-01T09:00:00.000Z", expiresAt: "2027-01-01T09:15:00.000Z" };
      return { id, flightId: "F", cabin: "economy", seats, status, ...times };
    };
    const answer = await get(read);
    expect([answer.status, answer.body]).toStrictEqual([200, shown("h1", "active", ["10A"])]);
    expect(getSeatHoldOperation.success.body.safeParse(answer.body).success).toBe(true);
    await service.record("flight-F", { type: "SeatHoldReleased", at: NOW, data: { holdId: "h2" } });
    expect((await get(read, "F/seat-holds/h2")).body).toStrictEqual(shown("h2", "released", ["10B"]));
    service.clock.set(HOLD_ENDS);
    expect((await get(read)).body).toStrictEqual(shown("h1", "expired", ["10A"]));
    const missing = errorOf(404, "no seat hold with this id", "Not Found");
    const readAsOther = await service.openAccount("acc_2");
    for (const refused of [get(readAsOther), get(read, "G/seat-holds/h1"), get(read, "F/seat-holds/h3")]) {
      expect((await refused).body).toStrictEqual(missing);
    }
  });
});

describe("one flight", () => {
  const DEPARTS = "2027-02-01T09:00:00Z";
  beforeEach(() => schedule(service, "KP/442", DEPARTS));

  test("by its id", async () => {
    const answer = await read("/v1/flights/KP%2F442");
    expect(answer.body).toStrictEqual(shown("KP/442", DEPARTS));
    expect(flightSchema.safeParse(answer.body).success).toBe(true);
    const missing = await read("/v1/flights/KP");
    expect(missing.status).toBe(404);
    expect(missing.body).toStrictEqual(errorOf(404, "no flight with this id", "Not Found"));
  });

  test("a hold counts until it expires, whether or not that is recorded", async () => {
    await service.record("flight-KP/442", held(NOW, "h1", ["10A", "10B"], HOLD_ENDS), allocated(NOW, "b1", []));
    const left = async () => [
      (await read("/v1/flights/KP%2F442")).body,
      ((await read("/v1/flights")).body as { data: unknown[] }).data[0],
      ((await read("/v1/flights/search")).body as unknown[])[0],
    ];
    service.clock.set(HOLD_ENDS - 1);
    const none = shown("KP/442", DEPARTS, 0);
    expect(await left()).toStrictEqual([none, none, none]);
    service.clock.set(HOLD_ENDS);
    const two = shown("KP/442", DEPARTS, 2);
    expect(await left()).toStrictEqual([two, two, two]);
  });
});

describe("a seat map", () => {
  beforeEach(() => schedule(service, "F", "2027-02-01T09:00:00Z"));

  const seat = (number: string, status: string, features: readonly string[], price: number) => {
    return { number, status, features, price, currency: "USD" };
  };
  const map = (tenA: string, tenB: string) => ({
    flightId: "F",
    cabins: [
      {
        cabin: "first",
        deck: 2,
        columns: ["A"],
        aisles: [],
        rows: [{ number: 1, seats: [seat("1A", "available", ["window", "bulkhead"], 0)] }],
      },
      {
        cabin: "economy",
        deck: 1,
        columns: ["A", "B"],
        aisles: [1],
        rows: [
          {
            number: 10,
            seats: [
              seat("10A", tenA, ["window", "aisle", "bulkhead"], 2_500),
              seat("10B", tenB, ["window", "aisle", "bulkhead"], 2_500),
            ],
          },
          {
            number: 11,
            seats: [
              seat("11A", "available", ["window", "aisle", "exit_row", "extra_legroom"], 6_500),
              seat("11B", "blocked", ["window", "aisle", "exit_row", "extra_legroom"], 6_500),
            ],
          },
        ],
      },
    ],
  });

  test("shows every seat with what it is at this moment", async () => {
    const answer = await read("/v1/flights/F/seat-map");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual(map("available", "available"));
    expect(seatMapSchema.safeParse(answer.body).success).toBe(true);
    await service.record("flight-F", held(NOW, "h1", ["10A"], HOLD_ENDS), allocated(NOW, "b1", ["10B"]));
    expect((await read("/v1/flights/F/seat-map")).body).toStrictEqual(map("held", "booked"));
    service.clock.set(HOLD_ENDS);
    expect((await read("/v1/flights/F/seat-map")).body).toStrictEqual(map("available", "booked"));
    expect((await read("/v1/flights/G/seat-map")).body).toStrictEqual(
      errorOf(404, "no flight with this id", "Not Found"),
    );
  });

  test("304 for a client that has it; a new tag with every change, the clock's too", async () => {
    const tagOf = async () => (await read("/v1/flights/F/seat-map")).headers.get("etag") ?? "";
    const first = await tagOf();
    expect(first).toMatch(/^"[\w-]+"$/);
    const unchanged = await read("/v1/flights/F/seat-map", { "if-none-match": `"x", ${first}` });
    expect({ status: unchanged.status, text: unchanged.text }).toStrictEqual({ status: 304, text: "" });
    expect(unchanged.headers.get("etag")).toBe(first);
    await service.record("flight-F", held(NOW, "h1", ["10A"], HOLD_ENDS));
    const changed = await read("/v1/flights/F/seat-map", { "if-none-match": first });
    expect({ status: changed.status, body: changed.body }).toStrictEqual({
      status: 200,
      body: map("held", "available"),
    });
    const second = changed.headers.get("etag") ?? "";
    expect(second).not.toBe(first);
    service.clock.set(HOLD_ENDS);
    expect((await read("/v1/flights/F/seat-map", { "if-none-match": second })).status).toBe(200);
    expect((await read("/v1/flights/F/seat-map", { "if-none-match": first })).status).toBe(304);
  });
});
