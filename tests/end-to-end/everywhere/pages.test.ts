import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, FlightBody } from "@travel-booking/api-contract";
import { type Client, expectStatus, type Page } from "../kit/client.ts";
import { expectProblems } from "../kit/problems.ts";
import { openWorld, readAllEntries, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60, rows: [10, 99] },
      { id: "G", departsIn: 61 },
    ],
    env: { QUOTA_UNPAID_SEATS_PERCENT: "100" },
  });
  ({ alice } = world);
});
afterAll(() => world.discard());

const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

test("twenty unless told, newest first, and the last page says so", async () => {
  const made: string[] = [];
  for (let count = 0; count < 41; count += 1) made.push((await alice.newBooking("F")).id);
  const newestFirst = made.toReversed();
  const first = expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings"));
  expect(idsOf(first.data)).toStrictEqual(newestFirst.slice(0, 20));
  expect(first.page.hasMore).toBe(true);
  for (const limit of [1, 20, 40, 41, 100]) {
    expect(idsOf(await readAllEntries<BookingBody>(alice, "/v1/bookings", limit))).toStrictEqual(newestFirst);
  }
});

test("a page may be asked for again, with another limit too", async () => {
  const { page } = expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings?limit=3"));
  const next = (limit: number) => alice.get<Page<BookingBody>>(`/v1/bookings?cursor=${page.nextCursor}&limit=${limit}`);
  const [once, again] = [await next(2), await next(2)];
  expect(again.text).toBe(once.text);
  expect(idsOf(expectStatus(200, await next(5)).data).slice(0, 2)).toStrictEqual(idsOf(expectStatus(200, once).data));
});

test("while bookings are being made, nothing that was there is skipped or repeated", async () => {
  const before = idsOf(await readAllEntries<BookingBody>(alice, "/v1/bookings", 100));
  const walk = readAllEntries<BookingBody>(alice, "/v1/bookings", 2);
  let walking = true;
  void walk.finally(() => {
    walking = false;
  });
  const made: string[] = [];
  while (walking && made.length < 200) {
    const booked = await Promise.all([alice.newBooking("F"), alice.newBooking("F"), alice.newBooking("F")]);
    made.push(...idsOf(booked));
  }
  const seen = idsOf(await walk);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toStrictEqual(before);
  expect(new Set(idsOf(await readAllEntries<BookingBody>(alice, "/v1/bookings", 100)))).toStrictEqual(
    new Set([...before, ...made]),
  );
});

test("while flights are being added, nothing that was there is skipped or repeated", async () => {
  const departures = Array.from({ length: 12 }, (_, index) => ({ id: `N${index}`, departsIn: 10 + 10 * index }));
  await world.addFlights(...departures.map((flight) => ({ ...flight, rows: [10, 10] as const })));
  const before = idsOf(await readAllEntries<FlightBody>(alice, "/v1/flights", 100));
  const seen: string[] = [];
  let cursor: string | null = null;
  let added = 0;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { data, page } = expectStatus(200, await alice.get<Page<FlightBody>>(`/v1/flights?limit=3${query}`));
    seen.push(...idsOf(data));
    cursor = page.nextCursor;
    added += 1;
    await world.addFlights({ id: `NEW${added}`, departsIn: 5 + 30 * (added % 5), rows: [10, 10] });
  } while (cursor !== null);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toStrictEqual(before);
});

describe("400", () => {
  const LIMIT = "limit must be a whole number from 1 to 100";
  const CURSOR = ["cursor is not one this list has given for these filters"];
  const lists = ["/v1/destinations", "/v1/flights", "/v1/bookings"];

  test.each(lists)("for a limit that is none: %s", async (path) => {
    const odd = [
      "0",
      "101",
      "-1",
      "1.5",
      "1e1",
      "NaN",
      "",
      " 1",
      "01",
      "0x10",
      "9007199254740993",
      "1e308",
      "Infinity",
    ];
    for (const limit of odd) expectProblems(await alice.get(`${path}?limit=${encodeURIComponent(limit)}`), [LIMIT]);
  });

  test.each(lists)("for a cursor nobody gave: %s", async (path) => {
    const odd = ["x", "AAAA", "A".repeat(2_048), "null", "%F0%9F%9A%80", "{}", "a+b", "a%2Fb"];
    for (const cursor of odd) expectProblems(await alice.get(`${path}?cursor=${cursor}`), CURSOR);
    expectProblems(await alice.get(`${path}?cursor=`), ["cursor must not be blank"]);
    expectProblems(await alice.get(`${path}?cursor=${"A".repeat(2_049)}`), [
      "cursor must have at most 2048 characters",
    ]);
  });

  test.each(lists)("for a cursor that was tampered with: %s", async (path) => {
    const { page } = expectStatus(200, await alice.get<Page<unknown>>(`${path}?limit=1`));
    const cursor = page.nextCursor ?? "";
    expect(cursor).toMatch(/^[\w-]+$/);
    const bytes = Buffer.from(cursor, "base64url");
    const flipped = Array.from({ length: bytes.length }, (_, at) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      return copy.toString("base64url");
    });
    for (const tampered of [...flipped, `${cursor}A`, cursor.slice(0, -2), `${cursor}=`, cursor.toUpperCase()]) {
      expectProblems(await alice.get(`${path}?cursor=${encodeURIComponent(tampered)}`), CURSOR);
    }
  });

  test("for a cursor of other filters or of another list", async () => {
    const cursorOf = async (path: string) =>
      expectStatus(200, await alice.get<Page<unknown>>(path)).page.nextCursor ?? "none";
    const flights = await cursorOf("/v1/flights?limit=1");
    const destinations = await cursorOf("/v1/destinations?limit=1");
    const temperate = await cursorOf("/v1/destinations?limit=1&climate=temperate");
    expectProblems(await alice.get(`/v1/destinations?cursor=${flights}`), CURSOR);
    expectProblems(await alice.get(`/v1/destinations?climate=temperate&cursor=${destinations}`), CURSOR);
    expectProblems(await alice.get(`/v1/destinations?cursor=${temperate}`), CURSOR);
    expectProblems(await alice.get(`/v1/flights?departsAfter=2027-01-01&cursor=${flights}`), CURSOR);
    expectProblems(await alice.get(`/v1/flights?destinationId=kepler-442b&cursor=${flights}`), CURSOR);
  });
});
