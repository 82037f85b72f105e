import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody } from "@travel-booking/api-contract";
import { type Client, expectStatus, newKey, type Page } from "../kit/client.ts";
import { expectRefused } from "../kit/problems.ts";
import type { TestResponse } from "../kit/test-response.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60, rows: [10, 39] },
      { id: "OTHER", departsIn: 60 },
    ],
  });
  ({ alice } = world);
});
afterAll(() => world.discard());

const isReplayed = ({ headers }: TestResponse) => headers.get("idempotent-replayed") === "true";

/** The second answer is the first one again, and says so. */
function expectReplayed(second: TestResponse, first: TestResponse): void {
  expect([second.status, second.text, isReplayed(second)]).toStrictEqual([first.status, first.text, true]);
  expect(isReplayed(first)).toBe(false);
}

describe("the same key again", () => {
  test("on every operation that takes one: the first answer, and nothing is done twice", async () => {
    const key = { "idempotency-key": "one for all" };
    const twice = async <Body>(request: () => Promise<TestResponse<Body>>): Promise<TestResponse<Body>> => {
      const first = await request();
      expectReplayed(await request(), first);
      return first;
    };
    const hold = expectStatus(201, await twice(() => alice.hold("F", ["10A"], key)));
    const booking = expectStatus(201, await twice(() => alice.book("F", { holdId: hold.id }, key)));
    const path = `/v1/bookings/${booking.id}`;
    expectStatus(200, await twice(() => alice.patch(path, { reference: "r" }, key)));
    const payment = expectStatus(201, await twice(() => alice.pay(booking.id, {}, "one for all")));
    expectStatus(201, await twice(() => alice.post(`/v1/payments/${payment.id}/refunds`, { amount: 10 }, key)));
    expectStatus(200, await twice(() => alice.cancel(booking.id, undefined, key)));
    const { refunds } = await alice.payment(payment.id);
    expect(refunds.map(({ amount }) => amount)).toStrictEqual([10, payment.amount - 10]);
    const { data } = expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings"));
    expect(data.filter(({ id }) => id === booking.id)).toHaveLength(1);
  });
});

describe("the same key with another request", () => {
  test("422: another body or another object", async () => {
    const key = { "idempotency-key": newKey() };
    const hold = await alice.hold("F", ["12A"], key);
    expectRefused(await alice.hold("F", ["12B"], key), 422, "different request");
    expectRefused(await alice.hold("OTHER", ["12A"], key), 422, "different request");
    expectReplayed(await alice.hold("F", ["12A"], key), hold);
    const booking = await alice.book("F", { metadata: { a: "1" } }, key);
    expectRefused(await alice.book("F", { metadata: { a: "2" } }, key), 422, "different request");
    expectReplayed(await alice.book("F", { metadata: { a: "1" } }, key), booking);

    const { id } = await alice.newBooking("F");
    const { id: otherId } = await alice.newBooking("F");
    const paymentKey = newKey();
    const payment = await alice.pay(id, { metadata: { a: "1", b: "2" } }, paymentKey);
    expectRefused(await alice.pay(id, { metadata: { a: "1", b: "3" } }, paymentKey), 422, "different request");
    expectRefused(await alice.pay(otherId, { metadata: { a: "1", b: "2" } }, paymentKey), 422, "different request");
    expectReplayed(await alice.pay(id, { metadata: { b: "2", a: "1" } }, paymentKey), payment);
    expect((await alice.booking(otherId)).status).toBe("pending");
  });
});

describe("the same key fifty times at once", () => {
  const FIFTY = Array.from({ length: 50 });

  function expectOneResult(answers: readonly TestResponse[]): void {
    const firsts = answers.filter((answer) => !isReplayed(answer));
    expect(firsts).toHaveLength(1);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(firsts[0]?.status).toBe(201);
  }

  test("one booking", async () => {
    const before = (await alice.seatsLeft("OTHER")) ?? 0;
    const key = { "idempotency-key": newKey() };
    expectOneResult(await Promise.all(FIFTY.map(() => alice.book("OTHER", {}, key))));
    expect(await alice.seatsLeft("OTHER")).toBe(before - 1);
  });

  test("one charge", async () => {
    const booking = await alice.newBooking("F");
    const key = newKey();
    const answers = await Promise.all(FIFTY.map(() => alice.pay(booking.id, {}, key)));
    expectOneResult(answers);
    const history = expectStatus(200, await alice.get<Page<{ type: string }>>(`/v1/bookings/${booking.id}/history`));
    expect(history.data.map(({ type }) => type)).toStrictEqual([
      "booking.created",
      "payment.created",
      "payment.succeeded",
      "booking.confirmed",
    ]);
    expect((await alice.payment(expectStatus(201, answers[0] as TestResponse<{ id: string }>).id)).status).toBe(
      "succeeded",
    );
  });

  test("one refund", async () => {
    const { payment } = await alice.paidBooking("F");
    const key = { "idempotency-key": newKey() };
    expectOneResult(
      await Promise.all(FIFTY.map(() => alice.post(`/v1/payments/${payment.id}/refunds`, { amount: 7 }, key))),
    );
    expect((await alice.payment(payment.id)).amountRefunded).toBe(7);
  });

  test("with different bodies: one is done, the others are refused", async () => {
    const key = { "idempotency-key": newKey() };
    const answers = await Promise.all(FIFTY.map((_, index) => alice.book("F", { reference: String(index % 2) }, key)));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done).toHaveLength(25);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(25);
  });
});
