import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, BookingHistoryEntry, BookingSummaryBody, SeatMapBody } from "@travel-booking/api-contract";
import { withoutUnsendable } from "./kit/behind-proxy.ts";
import { ADA, ALAN, type Client, expectStatus, newKey, type Page } from "./kit/client.ts";
import { eventsOf } from "./kit/feed.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { ECONOMY_SEATS, openWorld, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({
    // One account fills flights.
    env: { QUOTA_UNPAID_SEATS_PERCENT: "100" },
    flights: ["F", "OTHER", "CHANGES", "HOLDS", "HISTORY"].map((id) => ({ id, departsIn: 60 })),
  });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

describe("booking", () => {
  test("201, pending, with every field", async () => {
    const body = { passengers: [ADA, ALAN], reference: "trip ü 1", seats: ["12A", "12B"] };
    const answer = await alice.book("F", body);
    const booking = expectStatus(201, answer);
    expect(booking).toStrictEqual({
      id: booking.id,
      status: "pending",
      cabin: "economy",
      flightId: "F",
      passengers: [ADA, ALAN],
      totalAmount: 2 * 129_900 + 2_500,
      currency: "USD",
      documents: [],
      seats: ["12A", "12B"],
      reference: "trip ü 1",
      createdAt: booking.createdAt,
    });
    const got = await alice.get(`/v1/bookings/${booking.id}`);
    expect([got.status, got.text]).toStrictEqual([200, answer.text]);
    expect(expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings?limit=1")).data).toStrictEqual([booking]);
  });

  test("with saved passengers, who are named as they are saved then", async () => {
    const profile = { firstName: "Ada", lastName: "Lovelace", dateOfBirth: "1985-12-10", nationality: "GB" };
    const email = "saved.ada@example.com";
    const saved = expectStatus(201, await alice.post<{ id: string }>("/v1/passengers", { ...profile, email }));
    const passengers = [ALAN, { passengerId: saved.id }];
    const key = { "idempotency-key": newKey() };
    const booking = expectStatus(201, await alice.book("F", { passengers }, key));
    expect(booking.passengers).toStrictEqual([ALAN, { name: "Ada Lovelace", email }]);
    expectStatus(204, await alice.send("DELETE", `/v1/passengers/${saved.id}`));
    expect(expectStatus(201, await alice.book("F", { passengers }, key))).toStrictEqual(booking);
    expectRefused(await alice.book("F", { passengers }), 404, "passenger");
    const writer = await world.withScopes(["bookings:write"]);
    const refused = await writer.book("F", { passengers });
    expectRefused(refused, 403, "passengers:read");
    expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="passengers:read"');
  });

  test("with a hold: its seats, or those chosen of it, and the rest is free again", async () => {
    const whole = expectStatus(201, await alice.hold("F", ["13A", "13B"]));
    const booked = await alice.newBooking("F", { passengers: [ADA, ALAN], holdId: whole.id });
    expect([booked.seats, booked.totalAmount]).toStrictEqual([["13A", "13B"], 2 * 129_900 + 2_500]);

    const part = expectStatus(201, await alice.hold("F", ["13C", "13D"]));
    const before = (await alice.seatsLeft("F")) ?? 0;
    const one = await alice.newBooking("F", { holdId: part.id, seats: ["13D"] });
    expect(one.seats).toStrictEqual(["13D"]);
    expect(await alice.seatsLeft("F")).toBe(before + 1);
    expectStatus(201, await world.bob.hold("F", ["13C"]));
  });
});

describe("values that are strange, and right", () => {
  test("are kept exactly as they were sent", async () => {
    const passengers = [
      { name: '  Ünï 🚀 \u202eסבא\u0301 O\'Brien "<b>"', email: "A.b+c_d@sub.EXAMPLE-1.museum" },
      { name: "x".repeat(200), email: `${"a".repeat(64)}@example.com` },
      { name: "__proto__", email: "constructor@example.com" },
    ];
    for (const reference of ["", "🚀".repeat(64), "$where", "__proto__", "null"]) {
      const booking = await alice.newBooking("F", { passengers, reference });
      expect([booking.passengers, booking.reference]).toStrictEqual([passengers, reference]);
      expect(await alice.booking(booking.id)).toStrictEqual(booking);
      await alice.cancel(booking.id, { reason: reference });
    }
  });

  test("name nothing there is, whatever they are called inside", async () => {
    const { id } = await alice.newBooking("F");
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "$gt", "10A\t"]) {
      expectRefused(await alice.hold("F", [name]), 422, "no such seat");
      expectRefused(await alice.book("F", { seats: [name] }), 422, "no such seat");
      expectRefused(await alice.book(name.trim()), 404, "no flight");
      expectRefused(await alice.book("F", { holdId: name }), 404, "no seat hold");
      expectRefused(await alice.patch(`/v1/bookings/${id}`, { seats: [name] }), 422, "no such seat");
      expectRefused(await alice.patch(`/v1/bookings/${id}`, { holdId: name }), 404, "no seat hold");
      expectRefused(
        await alice.pay(id, { token: name }),
        400,
        /^token is not known to the payment gateway; the sandbox has tok_visa/,
      );
    }
  });
});

test("404 for a booking that is not there, in every operation on one", async () => {
  for (const id of withoutUnsendable(["bkg_none", `bkg_${"0".repeat(32)}`, "x".repeat(300), "%00", "a%2Fb"])) {
    expectRefused(await alice.get(`/v1/bookings/${id}`), 404, /booking/);
    expectRefused(await alice.get(`/v1/bookings/${id}/history`), 404, /booking/);
    expectRefused(await alice.patch(`/v1/bookings/${id}`, { reference: "r" }), 404, /booking/);
    expectRefused(await alice.patch(`/v1/bookings/${id}`, { seats: ["10A"] }), 404, /booking/);
    expectRefused(await alice.cancel(id), 404, /booking/);
    expectRefused(await alice.pay(id), 404, /booking/);
    expectRefused(await alice.pay(id, { type: "bank_transfer" }), 404, /booking/);
  }
});

describe("cancelling", () => {
  test("a pending booking: its seats are free, its record stays", async () => {
    const before = (await alice.seatsLeft("OTHER")) ?? 0;
    const booking = await alice.newBooking("OTHER", { seats: ["10C"] });
    const cancelled = expectStatus(200, await alice.cancel(booking.id, { reason: "changed my mind" }));
    expect(cancelled).toStrictEqual({ ...booking, status: "cancelled" });
    expect(await alice.booking(booking.id)).toStrictEqual(cancelled);
    expect(await alice.seatsLeft("OTHER")).toBe(before);
    expectStatus(201, await world.bob.hold("OTHER", ["10C"]));
  });

  test("twice is a no-op; an empty body, an empty object and no reason are fine", async () => {
    const booking = await alice.newBooking("OTHER");
    const first = expectStatus(200, await alice.cancel(booking.id));
    expect(expectStatus(200, await alice.cancel(booking.id, {}))).toStrictEqual(first);
    expect(expectStatus(200, await alice.cancel(booking.id, ""))).toStrictEqual(first);
    const { data } = expectStatus(200, await alice.get<Page<{ type: string }>>(`/v1/bookings/${booking.id}/history`));
    expect(data.map(({ type }) => type)).toStrictEqual(["booking.created", "booking.cancelled"]);
  });
});

const historyOf = async (id: string) =>
  expectStatus(200, await alice.get<Page<BookingHistoryEntry>>(`/v1/bookings/${id}/history`)).data;
const typesOf = async (id: string) => (await historyOf(id)).map(({ type }) => type);
const change = (id: string, body: unknown) => alice.patch<BookingBody>(`/v1/bookings/${id}`, body);

/** As the flight's seat map has them. */
async function statusesOf(flightId: string, ...numbers: readonly string[]): Promise<readonly (string | undefined)[]> {
  const map = expectStatus(200, await alice.get<SeatMapBody>(`/v1/flights/${flightId}/seat-map`));
  const seats = map.cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
  return numbers.map((number) => seats.find((seat) => seat.number === number)?.status);
}

describe("changing a booking", () => {
  test("reference and passengers, everything else stays", async () => {
    const booking = await alice.newBooking("CHANGES", { passengers: [ADA, ALAN] });
    const changed = expectStatus(200, await change(booking.id, { reference: "r1", passengers: [ALAN, ADA] }));
    expect(changed).toStrictEqual({ ...booking, passengers: [ALAN, ADA], reference: "r1" });
    expect(await alice.booking(booking.id)).toStrictEqual(changed);
    const { reference: _, ...without } = changed;
    expect(expectStatus(200, await change(booking.id, { reference: null }))).toStrictEqual(without);
    expect(await typesOf(booking.id)).toStrictEqual(["booking.created", "booking.changed", "booking.changed"]);
  });

  test("metadata is merged, stands in the summary, and tells nobody", async () => {
    const { id } = await alice.newBooking("CHANGES", { metadata: { order: "7", agent: "A" } });
    const metadataOf = async () =>
      expectStatus(200, await alice.get<BookingSummaryBody>(`/v1/bookings/${id}/summary`)).metadata;
    expect(await metadataOf()).toStrictEqual({ order: "7", agent: "A" });
    expectStatus(200, await change(id, { metadata: { agent: "", note: "n" } }));
    expect(await metadataOf()).toStrictEqual({ order: "7", note: "n" });
    expect(await eventsOf(alice, id)).toStrictEqual([]);
    expectStatus(200, await change(id, { metadata: { note: "" }, reference: "r" }));
    const told = (await eventsOf(alice, id)).map(({ data }) => data.previousAttributes);
    expect(told).toStrictEqual([{ reference: null }]);
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "v"]));
    expectProblems(await change(id, { metadata: more }), ["metadata must have at most 20 keys"]);
    expectProblems(await alice.book("CHANGES", { metadata: { ...more, k20: "v" } }), [
      "metadata must have at most 20 keys",
    ]);
    expect(await metadataOf()).toStrictEqual({ order: "7" });
  });

  test("seats while pending: the price follows, the old ones are free", async () => {
    const booking = await alice.newBooking("CHANGES", { passengers: [ADA, ALAN] });
    const left = await alice.seatsLeft("CHANGES");
    const first = expectStatus(200, await change(booking.id, { seats: ["11A", "11B"] }));
    expect([first.seats, first.totalAmount]).toStrictEqual([["11A", "11B"], 2 * 129_900 + 2_500]);
    const second = expectStatus(200, await change(booking.id, { seats: ["11B", "11C"] }));
    expect([second.seats, second.totalAmount]).toStrictEqual([["11B", "11C"], 2 * 129_900]);
    expect(await statusesOf("CHANGES", "11A", "11B", "11C")).toStrictEqual(["available", "booked", "booked"]);
    expect(await alice.seatsLeft("CHANGES")).toBe(left);
    expectStatus(201, await world.bob.hold("CHANGES", ["11A"]));
    expectRefused(await world.bob.hold("CHANGES", ["11B"]), 409, "11B");
  });

  test("seats by a hold: all of it, or some, and it is used up", async () => {
    const booking = await alice.newBooking("CHANGES", { passengers: [ADA, ALAN] });
    const whole = expectStatus(201, await alice.hold("CHANGES", ["12A", "12B"]));
    const left = (await alice.seatsLeft("CHANGES")) ?? 0;
    expect(expectStatus(200, await change(booking.id, { holdId: whole.id })).seats).toStrictEqual(["12A", "12B"]);
    expect(await alice.seatsLeft("CHANGES")).toBe(left + 2);
    // Again: the booking has them, and the hold is none any more.
    expectRefused(await change(booking.id, { holdId: whole.id }), 404, "was used");
    const other = await alice.newBooking("CHANGES", { passengers: [ADA, ALAN] });
    expectRefused(await change(other.id, { holdId: whole.id }), 404, "was used");

    const some = expectStatus(201, await alice.hold("CHANGES", ["12C", "12D"]));
    const mixed = expectStatus(200, await change(booking.id, { seats: ["12D", "12B"], holdId: some.id }));
    expect(mixed.seats).toStrictEqual(["12D", "12B"]);
    expectStatus(201, await world.bob.hold("CHANGES", ["12A", "12C"]));
  });
});

const release = (holdId: string) => alice.send("DELETE", `/v1/flights/HOLDS/seat-holds/${holdId}`);

describe("holding seats", () => {
  test("201, for fifteen minutes", async () => {
    const hold = expectStatus(201, await alice.hold("HOLDS", ["12B", "12A"]));
    expect(hold).toStrictEqual({
      id: hold.id,
      flightId: "HOLDS",
      cabin: "economy",
      seats: ["12B", "12A"],
      status: "active",
      createdAt: hold.createdAt,
      expiresAt: new Date(Date.parse(hold.createdAt) + 15 * 60_000).toISOString(),
    });
    expect(await alice.seatsLeft("HOLDS")).toBe(ECONOMY_SEATS - 2);
  });

  test("409 names the seats that cannot be had, and holds none of the others", async () => {
    expectStatus(201, await alice.hold("HOLDS", ["13A"]));
    expectStatus(201, await alice.book("HOLDS", { seats: ["13B"] }));
    for (const client of [alice, bob]) {
      expectRefused(await client.hold("HOLDS", ["13A", "13C"]), 409, "13A");
      expectRefused(await client.hold("HOLDS", ["13C", "13B"]), 409, "13B");
    }
    expectRefused(await alice.hold("HOLDS", ["13C", "19F"]), 409, "19F");
    expect(await statusesOf("HOLDS", "13C")).toStrictEqual(["available"]);
  });
});

describe("releasing a hold", () => {
  test("204, and the seats are free; after that 409", async () => {
    const { id } = expectStatus(201, await alice.hold("HOLDS", ["15A"]));
    const released = await release(id);
    expect([released.status, released.text]).toStrictEqual([204, ""]);
    expect(await statusesOf("HOLDS", "15A")).toStrictEqual(["available"]);
    expectRefused(await release(id), 409, "released");
  });
});

// Last: time goes on for the whole service.
describe("when its time is up", () => {
  test("the seats are free, the hold can be used no more", async () => {
    const { id: holdId } = expectStatus(201, await alice.hold("HOLDS", ["16A"]));
    const booking = await alice.newBooking("HOLDS");
    const before = (await alice.seatsLeft("HOLDS")) ?? 0;
    const tag = (await alice.get("/v1/flights/HOLDS/seat-map")).headers.get("etag") ?? "";
    await world.advance(15 * 60);
    expect(await alice.seatsLeft("HOLDS")).toBeGreaterThan(before);
    expect(await statusesOf("HOLDS", "16A")).toStrictEqual(["available"]);
    expect((await alice.get("/v1/flights/HOLDS/seat-map", { "if-none-match": tag })).status).toBe(200);
    expectRefused(await alice.book("HOLDS", { holdId }), 404, "has expired");
    expectRefused(await alice.patch(`/v1/bookings/${booking.id}`, { holdId }), 404, "has expired");
    expectRefused(await release(holdId), 409, "expired");
    expectStatus(201, await bob.hold("HOLDS", ["16A"]));
  });
});

describe("history", () => {
  test("oldest first: what happened, who did it, in which request, and what changed", async () => {
    const created = await alice.book("HISTORY", { reference: "r" }, { "x-request-id": "req-1" });
    const booking = expectStatus(201, created);
    const path = `/v1/bookings/${booking.id}`;
    const changed = await alice.patch<BookingBody>(
      path,
      { reference: null, seats: ["12A"] },
      { "x-request-id": "req-2" },
    );
    const payment = expectStatus(201, await alice.pay(booking.id));
    await alice.cancel(booking.id, { reason: "rain" });
    const [refund] = (await alice.payment(payment.id)).refunds;

    const history = await historyOf(booking.id);
    expect(history.map(({ type }) => type)).toStrictEqual([
      "booking.created",
      "booking.changed",
      "payment.created",
      "payment.succeeded",
      "booking.confirmed",
      "booking.cancelled",
      "refund.created",
      "refund.succeeded",
    ]);
    const [first, second] = history;
    expect(first).toStrictEqual({
      id: first?.id,
      type: "booking.created",
      createdAt: booking.createdAt,
      actor: { kind: "credential", id: first?.actor.id },
      requestId: "req-1",
      changes: first?.changes,
    });
    for (const [field, to] of Object.entries(booking)) {
      expect(first?.changes[field]).toStrictEqual({ from: null, to });
    }
    expect(second?.requestId).toBe("req-2");
    expect(second?.changes).toStrictEqual({
      reference: { from: "r", to: null },
      seats: { from: [], to: ["12A"] },
      totalAmount: { from: 129_900, to: 132_400 },
    });
    expect(expectStatus(200, changed).totalAmount).toBe(132_400);
    expect(history[2]?.changes).toMatchObject({
      [`payments.${payment.id}`]: { status: { from: null, to: "pending" } },
    });
    expect(history[3]?.changes).toStrictEqual({
      [`payments.${payment.id}`]: { status: { from: "pending", to: "succeeded" } },
    });
    expect(history[4]?.changes).toStrictEqual({ status: { from: "pending", to: "confirmed" } });
    expect(history[5]?.changes).toStrictEqual({ status: { from: "confirmed", to: "cancelled" } });
    expect(history[7]?.changes).toStrictEqual({
      [`refunds.${refund?.id}`]: { status: { from: "pending", to: "succeeded" } },
    });
    expect(new Set(history.map(({ id }) => id)).size).toBe(history.length);
    expect(new Set(history.slice(0, 7).map(({ actor }) => actor.id)).size).toBe(1);
  });

  test("names the system for what the clock did, and the operator for what an operator did", async () => {
    const expired = await alice.newBooking("HISTORY");
    const paying = await alice.newBooking("HISTORY");
    const { method } = expectStatus(201, await alice.pay(paying.id, { type: "bank_transfer" }));
    const reference = method.type === "bank_transfer" ? method.bankTransfer.reference : "";
    await world.service.operator("POST", "/transfers", { reference, amount: 129_901 });
    await world.advance(25 * 3_600);
    const last = (await historyOf(expired.id)).at(-1);
    expect([last?.type, last?.actor.kind, last?.requestId]).toStrictEqual(["booking.cancelled", "system", null]);
    const received = (await historyOf(paying.id)).slice(2);
    expect(received.map(({ type, actor }) => [type, actor.kind])).toStrictEqual([
      ["transfer.received", "operator"],
      ["return.due", "operator"],
      ["payment.succeeded", "operator"],
      ["booking.confirmed", "operator"],
    ]);
  });
});
