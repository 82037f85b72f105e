import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { CancellationQuoteBody } from "@travel-booking/api-contract";
import { type Client, expectStatus } from "../kit/client.ts";
import { expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

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

describe("a booking that is not paid", () => {
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
});
