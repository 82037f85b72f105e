import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, FlightBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";
import { ADA, ALAN, type Client, expectStatus, type Page } from "../kit/client.ts";
import { openWorld, readAllEntries, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
let carol: Client;
let first: BookingBody;
let second: BookingBody;
let third: BookingBody;
let paid: PaymentBody;
let declined: PaymentBody;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60 },
      { id: "G", departsIn: 61 },
      { id: "PAGES", departsIn: 62, rows: [10, 99] },
    ],
    env: { QUOTA_UNPAID_SEATS_PERCENT: "100" },
  });
  ({ alice, bob } = world);
  carol = await world.withScopes(["bookings:read", "bookings:write", "flights:read"]);
  const party = { passengers: [ALAN, { ...ADA, email: "Ada.Lovelace@Example.com" }] };
  first = await alice.newBooking("F", { ...party, reference: "Trip ü 1" });
  second = await alice.newBooking("G", { reference: "trip ü 1" });
  third = await alice.newBooking("F", { passengers: [{ ...ADA, email: "ada.lovelace@example.com" }] });
  await bob.newBooking("F", { ...party, reference: "Trip ü 1" });
  declined = expectStatus(201, await alice.pay(second.id, { token: "tok_declined_card_declined" }));
  paid = expectStatus(201, await alice.pay(first.id));
});
afterAll(() => world.discard());

async function found(filters: Readonly<Record<string, string>>, client = alice): Promise<readonly string[]> {
  const all = await readAllEntries<BookingBody>(client, `/v1/bookings?${new URLSearchParams(filters)}`, 1);
  return all.map(({ id }) => id);
}

describe("bookings are found", () => {
  test("by a passenger's e-mail address, whatever its case, and by a reference exactly", async () => {
    expect(await found({ email: "ADA.LOVELACE@EXAMPLE.COM" })).toStrictEqual([third.id, first.id]);
    expect(await found({ email: ALAN.email })).toStrictEqual([first.id]);
    expect(await found({ email: "lovelace@example.com" })).toStrictEqual([]);
    expect(await found({ reference: "Trip ü 1" })).toStrictEqual([first.id]);
    expect(await found({ reference: "trip ü 1", email: ADA.email })).toStrictEqual([second.id]);
    expect(await found({ reference: "trip ü 1", email: ALAN.email })).toStrictEqual([]);
    expect(await found({ reference: "Trip ü 1" }, bob)).toHaveLength(1);
  });

  test("as they are after one's own change", async () => {
    expectStatus(200, await alice.patch(`/v1/bookings/${third.id}`, { reference: "new", passengers: [ALAN] }));
    expect(await found({ reference: "new" })).toStrictEqual([third.id]);
    expect(await found({ email: ALAN.email })).toStrictEqual([third.id, first.id]);
    expect(await found({ email: "ada.lovelace@example.com" })).toStrictEqual([first.id]);
    expectStatus(200, await alice.cancel(third.id));
    expect(await found({ status: "cancelled" })).toStrictEqual([third.id]);
  });
});

describe("payments are listed", () => {
  const listed = async (filters: Readonly<Record<string, string>>, client = alice) => {
    const all = await readAllEntries<PaymentBody>(client, `/v1/payments?${new URLSearchParams(filters)}`, 1);
    return all.map(({ id }) => id);
  };

  test("newest first, each as it is by its id", async () => {
    const { data } = expectStatus(200, await alice.get<Page<PaymentBody>>("/v1/payments"));
    expect(data).toStrictEqual([paid, declined]);
    expect(await listed({}, bob)).toStrictEqual([]);
  });
});

test("a hold is its owner's to read, active, used or released", async () => {
  const hold = async (seat: string) => expectStatus(201, await alice.hold("G", [seat]));
  const read = async ({ id }: SeatHoldBody) =>
    expectStatus(200, await alice.get<SeatHoldBody>(`/v1/flights/G/seat-holds/${id}`));
  const [active, used, released] = [await hold("10A"), await hold("10B"), await hold("10C")];
  await alice.newBooking("G", { holdId: used.id });
  expectStatus(204, await alice.send("DELETE", `/v1/flights/G/seat-holds/${released.id}`));
  expect(await read(active)).toStrictEqual(active);
  expect(await read(used)).toStrictEqual({ ...used, status: "used" });
  expect(await read(released)).toStrictEqual({ ...released, status: "released" });
  for (const [client, path] of [
    [bob, `G/seat-holds/${active.id}`],
    [alice, `F/seat-holds/${active.id}`],
  ] as const) {
    expect((await client.get(`/v1/flights/${path}`)).status).toBe(404);
  }
});

const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

test("twenty unless told, newest first, and the last page says so", async () => {
  const made: string[] = [];
  for (let count = 0; count < 41; count += 1) made.push((await carol.newBooking("PAGES")).id);
  const newestFirst = made.toReversed();
  const first = expectStatus(200, await carol.get<Page<BookingBody>>("/v1/bookings"));
  expect(idsOf(first.data)).toStrictEqual(newestFirst.slice(0, 20));
  expect(first.page.hasMore).toBe(true);
  for (const limit of [1, 20, 40, 41, 100]) {
    expect(idsOf(await readAllEntries<BookingBody>(carol, "/v1/bookings", limit))).toStrictEqual(newestFirst);
  }
});

test("while bookings are being made, nothing that was there is skipped or repeated", async () => {
  const before = idsOf(await readAllEntries<BookingBody>(carol, "/v1/bookings", 100));
  const walk = readAllEntries<BookingBody>(carol, "/v1/bookings", 2);
  let walking = true;
  void walk.finally(() => {
    walking = false;
  });
  const made: string[] = [];
  while (walking && made.length < 200) {
    const booked = await Promise.all([carol.newBooking("PAGES"), carol.newBooking("PAGES"), carol.newBooking("PAGES")]);
    made.push(...idsOf(booked));
  }
  const seen = idsOf(await walk);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toStrictEqual(before);
  expect(new Set(idsOf(await readAllEntries<BookingBody>(carol, "/v1/bookings", 100)))).toStrictEqual(
    new Set([...before, ...made]),
  );
});

test("while flights are being added, nothing that was there is skipped or repeated", async () => {
  const departures = Array.from({ length: 12 }, (_, index) => ({ id: `N${index}`, departsIn: 10 + 10 * index }));
  await world.addFlights(...departures.map((flight) => ({ ...flight, rows: [10, 10] as const })));
  const before = idsOf(await readAllEntries<FlightBody>(carol, "/v1/flights", 100));
  const seen: string[] = [];
  let cursor: string | null = null;
  let added = 0;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { data, page } = expectStatus(200, await carol.get<Page<FlightBody>>(`/v1/flights?limit=3${query}`));
    seen.push(...idsOf(data));
    cursor = page.nextCursor;
    added += 1;
    await world.addFlights({ id: `NEW${added}`, departsIn: 5 + 30 * (added % 5), rows: [10, 10] });
  } while (cursor !== null);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toStrictEqual(before);
});
