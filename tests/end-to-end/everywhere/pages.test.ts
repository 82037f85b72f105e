import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { BookingBody, FlightBody } from "@travel-booking/api-contract";
import { type Client, expectStatus, type Page } from "../kit/client.ts";
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
