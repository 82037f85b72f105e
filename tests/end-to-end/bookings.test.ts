import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody } from "@travel-booking/api-contract";
import { withoutUnsendable } from "./kit/behind-proxy.ts";
import { ADA, ALAN, type Client, expectStatus, newKey, type Page } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { ECONOMY_SEATS, openWorld, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    // One account fills flights.
    env: { QUOTA_UNPAID_SEATS_PERCENT: "100" },
    flights: [
      { id: "F", departsIn: 60 },
      { id: "OTHER", departsIn: 60 },
      { id: "FREE", departsIn: 60, amount: 0 },
      { id: "SMALL", departsIn: 60, rows: [10, 10] },
    ],
  });
  ({ alice } = world);
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

  test("without seats or a reference: neither is there, and its place is taken", async () => {
    const before = (await alice.seatsLeft("OTHER")) ?? 0;
    const booking = await alice.newBooking("OTHER", { passengers: [ADA, ALAN] });
    expect(booking.seats).toStrictEqual([]);
    expect("reference" in booking).toBe(false);
    expect(booking.totalAmount).toBe(2 * 129_900);
    expect(await alice.seatsLeft("OTHER")).toBe(before - 2);
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

  test("that costs nothing is confirmed at once", async () => {
    const booking = await alice.newBooking("FREE");
    expect([booking.status, booking.totalAmount]).toStrictEqual(["confirmed", 0]);
    expectRefused(await alice.pay(booking.id), 409, "already paid");
    expect((await alice.newBooking("FREE", { seats: ["12A"] })).status).toBe("pending");
  });

  test("404 without the flight or an active hold", async () => {
    expectRefused(await alice.book("none"), 404, "no flight");
    expectRefused(await alice.book("x".repeat(255)), 404, "no flight");
    expectRefused(await alice.book("F", { holdId: "hld_none" }), 404, "no seat hold");
    const { id: holdId } = expectStatus(201, await alice.hold("F", ["15A"]));
    expectStatus(201, await alice.book("F", { holdId }));
    expectRefused(await alice.book("F", { holdId }), 404, "was used");
  });

  test("409 where a seat or the cabin is taken", async () => {
    expectStatus(201, await alice.hold("F", ["16A"]));
    expectStatus(201, await alice.book("F", { seats: ["16B"] }));
    expectRefused(await alice.book("F", { seats: ["16A"] }), 409, "16A");
    expectRefused(await alice.book("F", { seats: ["16B"] }), 409, "16B");
    expectRefused(await alice.book("F", { seats: ["19F"] }), 409, "19F");
    expectStatus(201, await alice.book("SMALL", { passengers: new Array(5).fill(ADA) }));
    expectRefused(await alice.book("SMALL", { passengers: [ADA, ALAN] }), 409, "not enough seats");
    expectStatus(201, await alice.book("SMALL"));
    expectRefused(await alice.book("SMALL"), 409, "not enough seats");
    expect(await alice.seatsLeft("SMALL")).toBe(0);
  });

  test("422 where it does not fit together", async () => {
    expectRefused(await alice.book("F", { cabin: "first" }), 422, "no such cabin");
    expectRefused(await alice.book("F", { seats: ["17A", "17B"] }), 422, "number of seats");
    expectRefused(await alice.book("F", { seats: ["1A"] }), 422, "1A");
    expectRefused(await alice.book("F", { seats: ["99Z"] }), 422, "99Z");
    const business = expectStatus(201, await alice.hold("F", ["1A"]));
    expectRefused(await alice.book("F", { holdId: business.id }), 422, "another cabin");
    const elsewhere = expectStatus(201, await alice.hold("OTHER", ["17A"]));
    expectRefused(await alice.book("F", { holdId: elsewhere.id }), 422, "another flight");
    const two = expectStatus(201, await alice.hold("F", ["17C", "17D"]));
    expectRefused(await alice.book("F", { holdId: two.id }), 422, "number of seats");
  });

  test("400 names every problem", async () => {
    const passengers = [{ name: " ", email: "nobody" }, { name: "A" }];
    expectProblems(await alice.post("/v1/bookings", { cabin: "attic", passengers, reference: "r".repeat(65) }), [
      "flightId is required",
      "cabin must be one of economy, premium_economy, business, first",
      "passengers[0].name must not be blank",
      "passengers[0].email must be an email address",
      "passengers[1].email is required",
      "reference must have at most 64 characters",
    ]);
    expectProblems(await alice.book("F", { passengers: [] }), ["passengers must have at least 1 entry"]);
    expectProblems(await alice.book("F", { passengers: new Array(10).fill(ADA) }), [
      "passengers must have at most 9 entries",
    ]);
    expectProblems(await alice.book("F", { seats: ["10A", "10A"] }), ["seats[1] is named twice"]);
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

  test("ends everything else on it", async () => {
    const { id } = await alice.newBooking("OTHER");
    await alice.cancel(id);
    expectRefused(await alice.pay(id), 409, "cancelled");
    expectRefused(await alice.pay(id, { type: "bank_transfer" }), 409, "cancelled");
    expectRefused(await alice.patch(`/v1/bookings/${id}`, { reference: "r" }), 409, "cancelled");
    expectRefused(await alice.patch(`/v1/bookings/${id}`, { seats: ["10A"] }), 409, "cancelled");
  });

  test("400 for a reason that is none", async () => {
    const { id } = await alice.newBooking("OTHER");
    expectProblems(await alice.cancel(id, { reason: "r".repeat(501) }), ["reason must have at most 500 characters"]);
    expectProblems(await alice.cancel(id, { reason: null, why: 1 }), [
      "reason must be a string",
      "why is not a known field",
    ]);
    expect(expectStatus(200, await alice.cancel(id, { reason: "r".repeat(500) })).status).toBe("cancelled");
  });

  test("gives every seat back in the end", async () => {
    const list = expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings?limit=100"));
    for (const { id, flightId } of list.data) if (flightId === "SMALL") await alice.cancel(id);
    expect(await alice.seatsLeft("SMALL")).toBe(6);
    expect(ECONOMY_SEATS).toBeGreaterThan((await alice.seatsLeft("F")) ?? 0);
  });
});
