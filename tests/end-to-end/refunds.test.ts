import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { RefundBody } from "@travel-booking/api-contract";
import { REFUND_REASONS } from "@travel-booking/domain";
import { type Client, expectStatus } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
  ({ alice } = world);
});
afterAll(() => world.discard());

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

  test("what is left goes back when the booking is cancelled, and can still be asked for where it did not", async () => {
    const { booking, payment } = await alice.paidBooking("F");
    expectStatus(201, await refund(payment.id, { amount: 900 }));
    expectStatus(200, await alice.cancel(booking.id));
    const { amountRefunded, refunds } = await alice.payment(payment.id);
    expect(amountRefunded).toBe(payment.amount);
    expect(refunds.map(({ amount, reason }) => [amount, reason])).toStrictEqual([
      [900, "requested_by_customer"],
      [payment.amount - 900, "booking_cancelled"],
    ]);
    expectRefused(await refund(payment.id, { amount: 1 }), 409, "fully refunded");
  });

  test.each(REFUND_REASONS)("because of %s", async (reason) => {
    const { booking, payment } = await alice.paidBooking("F");
    expect(expectStatus(201, await refund(payment.id, { reason, amount: 5 })).reason).toBe(reason);
    await alice.cancel(booking.id);
  });

  test("409 for a payment that has not succeeded", async () => {
    const { id } = await alice.newBooking("F");
    const failed = expectStatus(201, await alice.pay(id, { token: "tok_declined_card_declined" }));
    expectRefused(await refund(failed.id), 409, "not succeeded");
    const pending = expectStatus(201, await alice.pay(id, { type: "bank_transfer" }));
    expectRefused(await refund(pending.id, { amount: 1 }), 409, "not succeeded");
  });
});

describe("400", () => {
  const WHOLE = "amount must be a whole number";
  const LARGE = `amount must be at most ${Number.MAX_SAFE_INTEGER}`;
  test.each<[string, RegExp]>([
    ['{"amount":0}', /^amount must be at least 1$/],
    ['{"amount":-0}', /^amount must be at least 1$/],
    ['{"amount":-1}', /^amount must be at least 1$/],
    ['{"amount":0.5}', new RegExp(WHOLE)],
    ['{"amount":1e308}', new RegExp(`${WHOLE}|${LARGE}`)],
    ['{"amount":1e999}', /^amount must be a finite number$/],
    ['{"amount":9007199254740993}', new RegExp(`${WHOLE}|${LARGE}`)],
    ['{"amount":"NaN"}', /^amount must be a number$/],
    ['{"amount":"1"}', /^amount must be a number$/],
    ['{"amount":null}', /^amount must be a number$/],
    ['{"amount":{"$gt":""}}', /^amount must be a number$/],
    ['{"amount":[1]}', /^amount must be a number$/],
    ['{"amount":true}', /^amount must be a number$/],
    ['{"reason":"because"}', /^reason must be one of requested_by_customer, duplicate/],
    ['{"reason":""}', /^reason must be one of/],
    ['{"currency":"USD"}', /^currency is not a known field$/],
  ])("%s", async (body, problem) => {
    const answer = await refund(`pay_${"0".repeat(44)}`, body);
    expect(answer.status).toBe(400);
    const { message } = answer.body as unknown as { message: string[] };
    expect(message).toStrictEqual([expect.stringMatching(problem)]);
  });

  test("NaN is no JSON", async () => {
    expectProblems(await refund(`pay_${"0".repeat(44)}`, '{"amount":NaN}'), [
      "body is not valid JSON: line 1, column 11",
    ]);
  });
});
