import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { PaymentBody, RefundBody } from "@travel-booking/api-contract";
import { type Client, expectStatus } from "./kit/client.ts";
import { expectRefused } from "./kit/problems.ts";
import { openWorld, type World } from "./kit/world.ts";

const HOUR = 3_600;

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 400, rows: [10, 39] }] });
  await world.addFlights({ id: "NEAR", departsIn: 3 }, { id: "NEARER", departsIn: 1.9 });
  ({ alice } = world);
});
afterAll(() => world.discard());

const TRANSFER = { type: "bank_transfer" };

async function newTransfer(flightId = "F", more: object = {}) {
  const booking = await alice.newBooking(flightId, more);
  const payment = expectStatus(201, await alice.pay(booking.id, TRANSFER));
  return { booking, payment, ...detailsOf(payment) };
}

function detailsOf({ method }: PaymentBody) {
  if (method.type !== "bank_transfer") throw new Error("no bank transfer");
  return method.bankTransfer;
}

interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
}

async function receive(reference: string, amount: number, more: object = {}): Promise<readonly Row[]> {
  const answer = await world.service.operator("POST", "/transfers", { reference, amount, ...more });
  expect(answer.status).toBe(200);
  return (answer.body as { data: Row[] }).data;
}

const statusOf = async (bookingId: string) => (await alice.booking(bookingId)).status;
const failureOf = async (paymentId: string) => {
  const { status, failureCode } = await alice.payment(paymentId);
  return [status, failureCode];
};

describe("paying by bank transfer", () => {
  test("201 pending: where to send the money, and until when", async () => {
    const booking = await alice.newBooking("F");
    const answer = await alice.pay(booking.id, { ...TRANSFER, metadata: { a: "b" } });
    const payment = expectStatus(201, answer);
    const { dueAt, iban, bic, reference } = detailsOf(payment);
    expect(payment).toStrictEqual({
      id: payment.id,
      bookingId: booking.id,
      status: "pending",
      failureCode: null,
      failureMessage: null,
      amount: booking.totalAmount,
      amountRefunded: 0,
      currency: "USD",
      method: { type: "bank_transfer", card: null, wallet: null, bankTransfer: { dueAt, iban, bic, reference } },
      metadata: { a: "b" },
      refunds: [],
      createdAt: payment.createdAt,
    });
    expect(Date.parse(dueAt) - Date.parse(payment.createdAt)).toBe(72 * HOUR * 1_000);
    expect(iban).toMatch(/^[A-Z]{2}\d{2}[A-Z0-9]+$/);
    expect(bic).toMatch(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/);
    expect(reference).not.toBe("");
    expect((await alice.get(`/v1/payments/${payment.id}`)).text).toBe(answer.text);
    expect(await statusOf(booking.id)).toBe("pending");
    expectRefused(await alice.pay(booking.id, TRANSFER), 409, "already pending");
  });

  test("due a day before departure at the latest; 422 within 48 hours of it", async () => {
    const { dueAt } = await newTransfer("NEAR");
    const flight = expectStatus(200, await alice.get<{ departsAt: string }>("/v1/flights/NEAR"));
    expect(Date.parse(flight.departsAt) - Date.parse(dueAt)).toBe(24 * HOUR * 1_000);
    const near = await alice.newBooking("NEARER");
    expectRefused(await alice.pay(near.id, TRANSFER), 422, "too soon");
    expect(expectStatus(201, await alice.pay(near.id)).status).toBe("succeeded");
  });

  test("succeeds when all of it has arrived; what is too much goes back", async () => {
    const { booking, payment, reference } = await newTransfer();
    const [part] = await receive(reference, 100_000);
    expect([part?.status, part?.amount]).toStrictEqual(["partial", 100_000]);
    expect(await statusOf(booking.id)).toBe("pending");
    await receive(reference, 30_000, { entryId: "e-1" });
    expect(await receive(reference, 30_000, { entryId: "e-1" })).toHaveLength(2);
    expect(await statusOf(booking.id)).toBe("confirmed");
    expect(await alice.payment(payment.id)).toStrictEqual({ ...payment, status: "succeeded" });
    const rows = ((await world.service.operator("GET", "/transfers")).body as { data: (Row & { paymentId: string })[] })
      .data;
    const own = rows.filter((row) => row.paymentId === payment.id).map(({ amount, status }) => [status, amount]);
    expect(own.sort()).toStrictEqual([
      ["applied", 100_000],
      ["applied", 29_900],
      ["to_return", 100],
    ]);
  });

  test("in another currency pays nothing", async () => {
    const { booking, reference } = await newTransfer();
    const [row] = await receive(reference, 129_900, { currency: "EUR" });
    expect(row?.status).toBe("to_return");
    expect(await statusOf(booking.id)).toBe("pending");
  });

  test("is superseded by a card that is charged first", async () => {
    const { booking, payment, reference } = await newTransfer();
    expect(expectStatus(201, await alice.pay(booking.id)).status).toBe("succeeded");
    expect(await statusOf(booking.id)).toBe("confirmed");
    expect(await failureOf(payment.id)).toStrictEqual(["failed", "superseded"]);
    const [late] = await receive(reference, 129_900);
    expect([late?.status, late?.amount]).toStrictEqual(["to_return", 129_900]);
    expect((await alice.payment(payment.id)).amountRefunded).toBe(0);
  });

  test("is not superseded by a card that is declined", async () => {
    const { booking, payment } = await newTransfer();
    expectStatus(201, await alice.pay(booking.id, { token: "tok_declined_card_declined" }));
    expect(await failureOf(payment.id)).toStrictEqual(["pending", null]);
  });

  test("fails with the booking that is cancelled", async () => {
    const { booking, payment } = await newTransfer();
    expectStatus(200, await alice.cancel(booking.id));
    expect(await failureOf(payment.id)).toStrictEqual(["failed", "booking_cancelled"]);
  });

  test("is refunded in some days, or as soon as the operator says so", async () => {
    const { payment, reference } = await newTransfer();
    await receive(reference, payment.amount);
    const refund = async (amount: number) =>
      expectStatus(201, await alice.post<RefundBody>(`/v1/payments/${payment.id}/refunds`, { amount }));
    const [settled, waiting] = [await refund(100), await refund(200)];
    expect([settled.status, waiting.status]).toStrictEqual(["pending", "pending"]);
    expect((await alice.payment(payment.id)).amountRefunded).toBe(300);
    expect((await world.service.operator("POST", `/refunds/${settled.id}/settle`)).status).toBe(200);
    const refunds = async () => (await alice.payment(payment.id)).refunds.map(({ status }) => status);
    expect(await refunds()).toStrictEqual(["succeeded", "pending"]);
    await world.advance(24 * HOUR);
    expect(await refunds()).toStrictEqual(["succeeded", "pending"]);
    await world.advance(6 * 24 * HOUR);
    expect(await refunds()).toStrictEqual(["succeeded", "succeeded"]);
  });
});

// Last: time goes on for the whole service.
test("not paid by its due time: the transfer fails, the booking is cancelled, what came of it goes back", async () => {
  const { booking, payment, reference } = await newTransfer("F", { seats: ["30A"] });
  const untouched = await alice.newBooking("F");
  await receive(reference, 5);
  await world.advance(24 * HOUR);
  expect(await statusOf(untouched.id)).toBe("cancelled");
  expect(await statusOf(booking.id)).toBe("pending");
  await world.advance(48 * HOUR);
  expect(await statusOf(booking.id)).toBe("cancelled");
  expect(await failureOf(payment.id)).toStrictEqual(["failed", "bank_transfer_expired"]);
  expectStatus(201, await alice.hold("F", ["30A"]));
  const [late] = await receive(reference, 129_895);
  expect(late?.status).toBe("to_return");
  expect(await statusOf(booking.id)).toBe("cancelled");
});
