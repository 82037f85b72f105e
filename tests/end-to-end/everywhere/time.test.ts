import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { CancellationQuoteBody } from "@travel-booking/api-contract";
import { type Client, expectStatus } from "../kit/client.ts";
import { expectRefused } from "../kit/problems.ts";
import { ECONOMY_SEATS, openWorld, type World } from "../kit/world.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "SOON", departsIn: 1.5 },
      { id: "SOONER", departsIn: 1 / 48 },
      { id: "FAR", departsIn: 400 },
    ],
  });
  ({ alice } = world);
});
afterAll(() => world.discard());

const statusOf = async (bookingId: string) => (await alice.booking(bookingId)).status;

describe("a booking that is not paid", () => {
  test("fifteen minutes at least, but never beyond departure", async () => {
    const { id } = await alice.newBooking("SOONER");
    await world.advance(15 * 60 - 60);
    expect(await statusOf(id)).toBe("pending");
    const late = await alice.newBooking("SOONER");
    await world.advance(120);
    expect([await statusOf(id), await statusOf(late.id)]).toStrictEqual(["cancelled", "pending"]);
    expectRefused(await alice.pay(id), 409, "cancelled");
    await world.advance(13 * 60);
    expect(await statusOf(late.id)).toBe("cancelled");
    expect(await alice.seatsLeft("SOONER")).toBe(ECONOMY_SEATS);
  });

  test("a day, and no longer; its seats are free", async () => {
    const booking = await alice.newBooking("FAR", { seats: ["12A"] });
    await world.advance(DAY - 60);
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    await world.advance(60);
    expect(await alice.booking(booking.id)).toStrictEqual({ ...booking, status: "cancelled" });
    expectRefused(await alice.pay(booking.id), 409, "cancelled");
    expectRefused(await alice.patch(`/v1/bookings/${booking.id}`, { reference: "r" }), 409, "cancelled");
    expect(expectStatus(200, await alice.cancel(booking.id)).status).toBe("cancelled");
    expectStatus(201, await alice.hold("FAR", ["12A"]));
  });
});

test("a bank transfer that arrives in time pays for the booking", async () => {
  const { id, totalAmount } = await alice.newBooking("FAR");
  const payment = expectStatus(201, await alice.pay(id, { type: "bank_transfer" }));
  if (payment.method.type !== "bank_transfer") throw new Error("no bank transfer");
  await world.advance(DAY);
  const { reference } = payment.method.bankTransfer;
  const received = await world.service.operator("POST", "/transfers", { reference, amount: totalAmount });
  expect(received.status).toBe(200);
  expect(await statusOf(id)).toBe("confirmed");
  expect((await alice.payment(payment.id)).status).toBe("succeeded");
});

describe("near departure and after it", () => {
  test("cancelling less than 24 hours before is not refunded, and asking for a refund is", async () => {
    await world.addFlights({ id: "DAY", departsIn: 2 });
    const early = await alice.paidBooking("DAY");
    const late = await alice.paidBooking("DAY", { seats: ["12A"] });
    const flown = await alice.paidBooking("DAY");
    const quoted = async () => {
      const path = `/v1/bookings/${flown.booking.id}/cancellation-quote`;
      return expectStatus(200, await alice.get<CancellationQuoteBody>(path)).refundAmount;
    };
    await world.advance(DAY - 60);
    expectStatus(200, await alice.cancel(early.booking.id));
    expect((await alice.payment(early.payment.id)).amountRefunded).toBe(early.payment.amount);
    expect(await quoted()).toBe(flown.payment.amount);
    await world.advance(120);
    expect(await quoted()).toBe(0);
    expectStatus(200, await alice.cancel(late.booking.id));
    const kept = await alice.payment(late.payment.id);
    expect([kept.amountRefunded, kept.refunds]).toStrictEqual([0, []]);
    expectStatus(201, await alice.hold("DAY", ["12A"]));
    expectStatus(201, await alice.post(`/v1/payments/${late.payment.id}/refunds`, { amount: 5 }));

    await world.advance(DAY);
    const path = `/v1/bookings/${flown.booking.id}`;
    expectRefused(await alice.patch(path, { seats: ["15B"] }), 409, "departed");
    expect(expectStatus(200, await alice.patch<{ reference: string }>(path, { reference: "r" })).reference).toBe("r");
    expect(expectStatus(200, await alice.cancel(flown.booking.id)).status).toBe("cancelled");
    expect((await alice.payment(flown.payment.id)).amountRefunded).toBe(0);
    expectRefused(await alice.book("DAY"), 409, "departed");
  });
});

describe("keys and tokens", () => {
  test("an Idempotency-Key is kept for 24 hours", async () => {
    const headers = { "idempotency-key": "kept" };
    const first = expectStatus(201, await alice.book("FAR", {}, headers));
    await world.advance(DAY - 60);
    const replayed = await alice.book("FAR", {}, headers);
    expect([replayed.headers.get("idempotent-replayed"), replayed.body]).toStrictEqual(["true", first]);
    await world.advance(120);
    const second = await alice.book("FAR", {}, headers);
    expect(second.headers.has("idempotent-replayed")).toBe(false);
    expect(expectStatus(201, second).id).not.toBe(first.id);
  });

  test("asOf must not be in the future by the service's clock, which may be ahead", async () => {
    const { id } = await alice.newBooking("FAR");
    const now = await world.now();
    const at = (offset: number) => alice.get(`/v1/bookings/${id}?asOf=${new Date(now + offset).toISOString()}`);
    expect((await at(0)).status).toBe(200);
    expect((await at(HOUR * 1_000)).status).toBe(400);
  });
});
