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
  world = await openWorld({ flights: [{ id: "FAR", departsIn: 400 }] });
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

interface Row {
  readonly id: string;
  readonly paymentId: string | null;
  readonly amount: number;
  readonly status: string;
}

const receive = (body: object) => world.service.operator("POST", "/transfers", body);

/** Entries with their amounts and statuses. */
async function rows(): Promise<readonly string[]> {
  const { body } = await world.service.operator("GET", "/transfers");
  return (body as { readonly data: readonly Row[] }).data.map(({ id, paymentId, amount, status }) =>
    [
      id.replace(/^ret_[0-9a-f]+_/, "return of "),
      amount,
      status,
      paymentId === null ? "nobody's" : "a payment's",
    ].join(),
  );
}

test("each cent that comes stands in one row, whatever becomes of it", async () => {
  const { id, totalAmount } = await alice.newBooking("FAR");
  const payment = expectStatus(201, await alice.pay(id, { type: "bank_transfer" }));
  const reference = payment.method.bankTransfer?.reference ?? "";
  for (const [entryId, amount] of [
    ["paid", totalAmount],
    ["late", 300],
    ["back", 200],
  ] as const) {
    expect((await receive({ reference: "of Ada Lovelace", amount, entryId })).status).toBe(404);
  }
  const unmatched = [
    `paid,${totalAmount},unmatched,nobody's`,
    "late,300,unmatched,nobody's",
    "back,200,unmatched,nobody's",
  ];
  expect((await rows()).toSorted()).toStrictEqual(unmatched.toSorted());

  expect((await receive({ reference, amount: totalAmount, entryId: "paid" })).status).toBe(200);
  expect((await alice.booking(id)).status).toBe("confirmed");
  expect((await receive({ reference, amount: 300, entryId: "late" })).status).toBe(200);
  expect((await receive({ reference, amount: 301, entryId: "late" })).status).toBe(409);
  expect((await world.service.operator("POST", "/transfers/back/returned")).status).toBe(200);
  expect((await rows()).toSorted()).toStrictEqual([
    "back,200,returned,nobody's",
    `paid,${totalAmount},applied,a payment's`,
    "return of late,300,to_return,a payment's",
  ]);
});
