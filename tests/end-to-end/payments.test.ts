import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { CARD_BRANDS, type PaymentBody, WALLET_TYPES } from "@travel-booking/api-contract";
import { CARD_FAILURE_CODES } from "@travel-booking/payment-gateway/sandbox";
import { withoutUnsendable } from "./kit/behind-proxy.ts";
import { ADA, ALAN, type Client, expectStatus } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { openWorld, readAllEntries, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60, rows: [10, 39] }] });
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

  test.each(CARD_BRANDS.filter((brand) => brand !== "unknown"))("of %s", async (brand) => {
    const { id } = await alice.newBooking("F");
    const { method } = expectStatus(201, await alice.pay(id, { token: `tok_${brand}` }));
    expect(method.type === "card" && method.card.brand).toBe(brand);
    await alice.cancel(id);
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

  test("an answer that is lost is asked for again", async () => {
    const { id } = await alice.newBooking("F");
    const payment = expectStatus(201, await alice.pay(id, { token: "tok_timeout" }));
    expect([payment.status, (await alice.booking(id)).status]).toStrictEqual(["succeeded", "confirmed"]);
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

  test("declined", async () => {
    const { id } = await alice.newBooking("F");
    const body = { type: "wallet", walletType: "paypal", token: "tok_declined_insufficient_funds" };
    const payment = expectStatus(201, await alice.pay(id, body));
    expect([payment.status, payment.failureCode]).toStrictEqual(["failed", "insufficient_funds"]);
  });
});

describe("400", () => {
  let id = "";
  beforeAll(async () => {
    id = (await alice.newBooking("F")).id;
  });
  const path = () => `/v1/bookings/${id}/payments`;
  const key = { "idempotency-key": "bad" };
  const KINDS = "type must be one of card, wallet, bank_transfer";
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

  test("without an Idempotency-Key, or with one that is none", async () => {
    const body = { type: "card", token: "tok_visa" };
    expectProblems(await alice.post(path(), body), ["Idempotency-Key is required"]);
    expectProblems(await alice.post(path(), body, { "idempotency-key": "k".repeat(256) }), [
      "Idempotency-Key must have at most 255 characters",
    ]);
    expectProblems(await alice.post(path(), { type: "card" }, { "idempotency-key": "" }), [
      "Idempotency-Key must not be empty",
      "token is required",
    ]);
  });

  test.each<[unknown, string[]]>([
    [{}, [KINDS]],
    [{ type: "cash" }, [KINDS]],
    [{ type: { $gt: "" } }, [KINDS]],
    [{ type: "__proto__" }, [KINDS]],
    [[], ["body must be an object"]],
    [
      { type: "card", token: "tok_nobody" },
      [
        "token is not known to the payment gateway; the sandbox has tok_visa, tok_mastercard, tok_amex, tok_discover, tok_diners, tok_jcb, tok_unionpay, tok_timeout and tok_declined_<failureCode>",
      ],
    ],
    [{ type: "card", token: "" }, ["token must not be blank"]],
    [{ type: "card", token: "tok_visa", saveCard: "yes" }, ["saveCard must be true or false"]],
    [{ type: "wallet" }, ["walletType is required", "token is required"]],
    [
      { type: "wallet", token: "tok_visa", walletType: "purse" },
      ["walletType must be one of apple_pay, google_pay, samsung_pay, paypal"],
    ],
    [{ type: "wallet", token: "tok_visa", walletType: "paypal", saveCard: true }, ["saveCard is not a known field"]],
    [
      { type: "bank_transfer", token: "tok_visa", iban: "x" },
      ["token is not a known field", "iban is not a known field"],
    ],
    [{ type: "bank_transfer", metadata: pairs(21) }, ["metadata must have at most 20 keys"]],
    [
      { type: "bank_transfer", metadata: { a: 1, b: null } },
      ["metadata.a must be a string", "metadata.b must be a string"],
    ],
    [{ type: "bank_transfer", metadata: { a: "v".repeat(501) } }, ["metadata.a must have at most 500 characters"]],
    [{ type: "bank_transfer", metadata: [] }, ["metadata must be an object"]],
  ])("%j", async (body, problems) => {
    expectProblems(await alice.post(path(), body, key), problems);
  });

  test("and the key is still free", async () => {
    const metadata = { ...pairs(19), long: "v".repeat(500) };
    const paid = await alice.pay(id, { metadata }, "bad");
    expect(paid.headers.has("idempotent-replayed")).toBe(false);
    expect(expectStatus(201, paid).metadata).toStrictEqual(metadata);
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
