import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type PaymentBody, type RefundBody, WALLET_TYPES } from "@travel-booking/api-contract";
import { CARD_FAILURE_CODES } from "@travel-booking/payment-gateway/sandbox";
import { withoutUnsendable } from "./kit/behind-proxy.ts";
import { ADA, ALAN, type Client, expectStatus } from "./kit/client.ts";
import { expectRefused } from "./kit/problems.ts";
import { openWorld, readAllEntries, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 400, rows: [10, 39] }] });
  ({ alice } = world);
});
afterAll(() => world.discard());

describe("paying by card", () => {
  test("201 succeeded, with every field, and the booking is confirmed", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN], seats: ["10A", "10B"] });
    const metadata = { order: "o-1", constructor: "x", ünï: "" };
    const answer = await alice.pay(booking.id, { saveCard: true, metadata });
    const payment = expectStatus(201, answer);
    expect(payment).toStrictEqual({
      id: payment.id,
      bookingId: booking.id,
      status: "succeeded",
      failureCode: null,
      failureMessage: null,
      amount: booking.totalAmount,
      amountRefunded: 0,
      currency: "USD",
      method: {
        type: "card",
        card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 },
        wallet: null,
        bankTransfer: null,
      },
      metadata,
      refunds: [],
      createdAt: payment.createdAt,
    });
    expect((await alice.get(`/v1/payments/${payment.id}`)).text).toBe(answer.text);
    expect(await readAllEntries(alice, `/v1/bookings/${booking.id}/payments`, 1)).toStrictEqual([payment]);
    expect(await alice.booking(booking.id)).toStrictEqual({ ...booking, status: "confirmed" });
    expectRefused(await alice.pay(booking.id), 409, "already paid");
    expectRefused(await alice.pay(booking.id, { type: "bank_transfer" }), 409, "already paid");
  });

  test("declined: 201 failed with the reason, the booking stays pending and can be paid", async () => {
    const booking = await alice.newBooking("F");
    for (const failureCode of CARD_FAILURE_CODES) {
      const failed = expectStatus(201, await alice.pay(booking.id, { token: `tok_declined_${failureCode}` }));
      expect([failed.status, failed.failureCode, failed.amountRefunded]).toStrictEqual(["failed", failureCode, 0]);
      expect(failed.failureMessage).toMatch(/^[A-Z].+\.$/);
      expect(await alice.payment(failed.id)).toStrictEqual(failed);
    }
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    expect(expectStatus(201, await alice.pay(booking.id)).status).toBe("succeeded");
  });
});

describe("paying by wallet", () => {
  test.each(WALLET_TYPES)("%s", async (walletType) => {
    const { id } = await alice.newBooking("F");
    const payment = expectStatus(201, await alice.pay(id, { type: "wallet", walletType, token: "tok_visa" }));
    expect([payment.status, payment.method]).toStrictEqual([
      "succeeded",
      { type: "wallet", card: null, wallet: { type: walletType }, bankTransfer: null },
    ]);
    expect((await alice.booking(id)).status).toBe("confirmed");
    await alice.cancel(id);
  });
});

test("404 for a payment that is not there", async () => {
  const odd = ["pay_none", `pay_${"0".repeat(44)}`, `pay_${"A".repeat(44)}`, "x".repeat(300), "%00", "a%2Fb"];
  for (const id of withoutUnsendable(odd)) {
    expectRefused(await alice.get(`/v1/payments/${id}`), 404, /payment/);
    expectRefused(await alice.post(`/v1/payments/${id}/refunds`), 404, /payment/);
  }
});

test("what was paid before a cancellation is refunded by it, and shown at once", async () => {
  const { booking, payment } = await alice.paidBooking("F", { seats: ["20A"] });
  const cancelled = expectStatus(200, await alice.cancel(booking.id));
  expect(cancelled).toStrictEqual({ ...booking, status: "cancelled" });
  const refunded = await alice.payment(payment.id);
  const [refund] = refunded.refunds;
  expect(refunded).toStrictEqual({
    ...payment,
    amountRefunded: payment.amount,
    refunds: [
      {
        id: refund?.id,
        paymentId: payment.id,
        amount: payment.amount,
        currency: "USD",
        reason: "booking_cancelled",
        status: "succeeded",
        createdAt: refund?.createdAt,
      },
    ],
  } satisfies PaymentBody | object);
  expectStatus(200, await alice.cancel(booking.id));
  expect(await alice.payment(payment.id)).toStrictEqual(refunded);
});

const refund = (paymentId: string, body?: unknown) => alice.post<RefundBody>(`/v1/payments/${paymentId}/refunds`, body);

describe("refunding", () => {
  test("201 with every field: everything, if no amount is named; the booking stays", async () => {
    const { booking, payment } = await alice.paidBooking("F");
    const refunded = expectStatus(201, await refund(payment.id));
    expect(refunded).toStrictEqual({
      id: refunded.id,
      paymentId: payment.id,
      amount: payment.amount,
      currency: "USD",
      reason: "requested_by_customer",
      status: "succeeded",
      createdAt: refunded.createdAt,
    });
    const shown = await alice.payment(payment.id);
    expect(shown).toStrictEqual({ ...payment, amountRefunded: payment.amount, refunds: [refunded] });
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    expectRefused(await refund(payment.id), 409, "fully refunded");
    expectRefused(await refund(payment.id, { amount: 1 }), 409, "fully refunded");
  });

  test("in parts, oldest first, until nothing is left", async () => {
    const { booking, payment } = await alice.paidBooking("F");
    const first = expectStatus(201, await refund(payment.id, { amount: 1, reason: "duplicate" }));
    const second = expectStatus(201, await refund(payment.id, { amount: 100_000 }));
    expectRefused(await refund(payment.id, { amount: payment.amount - 100_000 }), 422, "more than what is left");
    const rest = expectStatus(201, await refund(payment.id, {}));
    expect(rest.amount).toBe(payment.amount - 100_001);
    const shown = await alice.payment(payment.id);
    expect([shown.amountRefunded, shown.refunds]).toStrictEqual([payment.amount, [first, second, rest]]);
    expectStatus(200, await alice.cancel(booking.id));
    expect(await alice.payment(payment.id)).toStrictEqual(shown);
  });
});

const HOUR = 3_600;
const TRANSFER = { type: "bank_transfer" };

async function newTransfer(more: object = {}) {
  const booking = await alice.newBooking("F", more);
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
  const { booking, payment, reference } = await newTransfer({ seats: ["30A"] });
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
