import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, EventBody } from "@travel-booking/api-contract";
import { BEHIND_PROXY } from "../kit/behind-proxy.ts";
import { ADA, ALAN, type Client, expectStatus, type Page } from "../kit/client.ts";
import { eventsOf, feed, idsOf, typesOf } from "../kit/feed.ts";
import { expectProblems } from "../kit/problems.ts";
import type { TestResponse } from "../kit/test-response.ts";
import { openWorld, readAllEntries, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60, rows: [10, 99] },
      { id: "FREE", departsIn: 60, amount: 0 },
    ],
  });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const previousOf = (events: readonly EventBody[]) => events.map(({ data }) => data.previousAttributes);
const objectsOf = (events: readonly EventBody[]) => events.map(({ data }) => data.object);

describe("what is told, in which order", () => {
  test("a payment by card: succeeded, then confirmed, each with the object as it was right then", async () => {
    const { booking, payment } = await alice.paidBooking("F");
    const events = await eventsOf(alice, booking.id);
    expect(typesOf(events)).toStrictEqual(["payment.succeeded", "booking.confirmed"]);
    expect(objectsOf(events)).toStrictEqual([payment, booking]);
    expect(previousOf(events)).toStrictEqual([null, null]);
    expect(events.map(({ apiVersion }) => apiVersion)).toStrictEqual(["2026-11-01", "2026-11-01"]);
    expectStatus(201, await alice.post(`/v1/payments/${payment.id}/refunds`, { amount: 100 }));
    expect(await eventsOf(alice, booking.id)).toStrictEqual(events);
  });

  test("a declined card, and another one that is not", async () => {
    const { id } = await alice.newBooking("F");
    const declined = expectStatus(201, await alice.pay(id, { token: "tok_declined_insufficient_funds" }));
    await alice.pay(id);
    const events = await eventsOf(alice, id);
    expect(typesOf(events)).toStrictEqual(["payment.failed", "payment.succeeded", "booking.confirmed"]);
    expect(objectsOf(events)[0]).toStrictEqual(declined);
  });

  test("a cancellation, once, and not again", async () => {
    const { booking } = await alice.paidBooking("F");
    const cancelled = expectStatus(200, await alice.cancel(booking.id));
    await alice.cancel(booking.id);
    const events = await eventsOf(alice, booking.id);
    expect(typesOf(events)).toStrictEqual(["payment.succeeded", "booking.confirmed", "booking.cancelled"]);
    expect(objectsOf(events)[2]).toStrictEqual(cancelled);
  });

  test("a change: the fields that differ, with what they were", async () => {
    const { id } = await alice.newBooking("F", { passengers: [ADA], seats: ["20A"] });
    const patch = async (body: object) => expectStatus(200, await alice.patch<BookingBody>(`/v1/bookings/${id}`, body));
    const first = await patch({ reference: "trip 1", seats: ["20B"], passengers: [ALAN] });
    await patch({});
    await patch({ reference: "trip 1", passengers: [ALAN], seats: ["20B"] });
    const second = await patch({ reference: null });
    const events = await eventsOf(alice, id);
    expect(typesOf(events)).toStrictEqual(["booking.changed", "booking.changed"]);
    expect(objectsOf(events)).toStrictEqual([first, second]);
    expect(previousOf(events)).toStrictEqual([
      { passengers: [ADA], totalAmount: first.totalAmount + 2_500, seats: ["20A"], reference: null },
      { reference: "trip 1" },
    ]);
  });
});

test("ten changes at once: ten events, each against the one before", async () => {
  const booking = await alice.newBooking("F", { passengers: [ADA] });
  const changes = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? { reference: `r${index}` } : { passengers: [{ ...ADA, name: `Ada ${index}` }] },
  );
  const answers = await Promise.all(
    changes.map((body) => alice.patch<BookingBody>(`/v1/bookings/${booking.id}`, body)),
  );
  const events = await eventsOf(alice, booking.id);
  expect(typesOf(events)).toStrictEqual(new Array(10).fill("booking.changed"));
  let known: object = booking;
  for (const { data } of events) {
    const { reference, ...rest } = { reference: null, ...data.object, ...data.previousAttributes };
    expect(reference === null ? rest : { ...rest, reference }).toStrictEqual(known);
    expect(Object.keys(data.previousAttributes ?? {}).length).toBe(1);
    known = data.object;
  }
  const told = objectsOf(events).map((object) => JSON.stringify(object));
  for (const answer of answers) expect(told).toContain(JSON.stringify(expectStatus(200, answer)));
  expect(known).toStrictEqual(await alice.booking(booking.id));
});

describe("the feed", () => {
  test("is the account's own", async () => {
    const { booking } = await alice.paidBooking("F");
    const [event] = await eventsOf(alice, booking.id);
    expect((await feed(bob)).data).toStrictEqual([]);
    expect(await eventsOf(bob, booking.id)).toStrictEqual([]);
    expect((await bob.get(`/v1/events/${event?.id}`)).status).toBe(404);
    expectProblems(await bob.get(`/v1/events?after=${event?.id}`), ["after is not the id of one of your events"]);
    expect(expectStatus(200, await alice.get(`/v1/events/${event?.id}`))).toStrictEqual(event);
  });

  test("read page by page while bookings are made and paid: no gap, no duplicate, the same for everybody", async () => {
    const before = (await feed(alice, { limit: "1" })).data[0]?.id ?? "";
    const CLIENTS = 8;
    // The server that stands in for MongoDB looks through a whole collection for every page.
    const EACH = BEHIND_PROXY ? 5 : 25;
    const EVENTS = CLIENTS * EACH * 2;
    const making = Array.from({ length: CLIENTS }, async () => {
      for (let count = 0; count < EACH; count += 1) await alice.paidBooking("F");
    });
    const readers = [followByCursor(alice, before, EVENTS), followByWaiting(alice, before, EVENTS)];
    await Promise.all(making);
    const [byCursor = [], byWaiting = []] = await Promise.all(readers);
    const all = await readAllEntries<EventBody>(alice, `/v1/events?after=${before}`, 100);
    expect(all.length).toBe(EVENTS);
    expect(new Set(idsOf(all)).size).toBe(EVENTS);
    expect(byCursor).toStrictEqual(all);
    expect(byWaiting).toStrictEqual(all);
    const newestFirst = await readAllEntries<EventBody>(alice, "/v1/events", 100);
    expect(newestFirst.slice(0, EVENTS).toReversed()).toStrictEqual(all);
  });

  test("is the same, byte for byte, after a rebuild", async () => {
    const texts = async () => {
      const pages: string[] = [];
      let path: string | undefined = "/v1/events?limit=100";
      while (path !== undefined) {
        const answer: TestResponse<Page<EventBody>> = await alice.get<Page<EventBody>>(path);
        pages.push(answer.text);
        const { nextCursor } = expectStatus(200, answer).page;
        path = nextCursor === null ? undefined : `/v1/events?limit=100&cursor=${nextCursor}`;
      }
      return pages;
    };
    const [newest] = (await feed(alice, { limit: "1" })).data;
    const before = await texts();
    expect((await world.service.operator("POST", "/projections/bookings/rebuild")).status).toBe(200);
    expect(await texts()).toStrictEqual(before);
    expect(expectStatus(200, await alice.get(`/v1/events/${newest?.id}`))).toStrictEqual(newest);
  });
});

describe("waiting for an event", () => {
  test("is answered when it is there", async () => {
    const { id } = await alice.newBooking("F");
    const after = (await feed(alice, { limit: "1" })).data[0]?.id ?? "";
    const waiting = feed(alice, { after, wait: "30" });
    const others = Array.from({ length: 50 }, () => feed(alice, { after, wait: "30", bookingId: id }));
    await alice.patch(`/v1/bookings/${id}`, { reference: "awaited" });
    const { data } = await waiting;
    expect(data.map(({ type, data: { object } }) => [type, "id" in object && object.id])).toStrictEqual([
      ["booking.changed", id],
    ]);
    for (const other of await Promise.all(others)) expect(other.data).toStrictEqual(data);
  });
});

/** Reads by cursors as far as they go, and from the last event on where they end. */
async function followByCursor(client: Client, after: string, count: number): Promise<readonly EventBody[]> {
  const seen: EventBody[] = [];
  let query: Record<string, string> = { after };
  while (seen.length < count) {
    const { data, page } = await feed(client, { ...query, limit: "7" });
    seen.push(...data);
    if (page.nextCursor !== null) query = { ...query, cursor: page.nextCursor };
    else query = { after: seen.at(-1)?.id ?? after };
  }
  return seen;
}

/** Reads what comes after the last event, waiting for it. */
async function followByWaiting(client: Client, after: string, count: number): Promise<readonly EventBody[]> {
  const seen: EventBody[] = [];
  while (seen.length < count) {
    const { data } = await feed(client, { after: seen.at(-1)?.id ?? after, wait: "30", limit: "100" });
    seen.push(...data);
  }
  return seen;
}
