import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Fault, StripeDouble } from "../engines/stripe/index.ts";
import type { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { until } from "../support/until.ts";
import { CrashableService } from "./support/crashable-service.ts";

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly amountRefunded: number;
  readonly refunds: readonly { readonly status: string }[];
}

const PAY = ["pay:started", "pay:charged", "pay:recorded"];
const REFUND = ["refund:started", "refund:sending", "refund:sent", "refund:settled"];
const FLIGHT = "ST-1";

/** Every crash point of payments and refunds, and a crash while Stripe is at work; then both ledgers are compared. */
describe("with Stripe, killed between two steps", () => {
  let stripe: StripeDouble;
  let mortal: CrashableService;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    // Finishing what one case left reaches the steps of others, so that it is armed for each of them alone.
    mortal = await CrashableService.start([], {
      PAYMENT_GATEWAY: "stripe",
      STRIPE_API_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    });
    await importFlights(mortal.service, [{ id: FLIGHT, departsIn: 60 }]);
  });
  afterAll(async () => {
    await mortal.discard();
    await stripe.stop();
  });

  async function newBooking(): Promise<string> {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const made = await mortal.api.post<{ id: string }>("/v1/bookings", {
      flightId: FLIGHT,
      cabin: "economy",
      passengers,
    });
    return made.body.id;
  }
  const pay = (api: ApiClient, bookingId: string, { token = "tok_visa", key = `pay-${bookingId}` } = {}) =>
    api.post<Payment>(`/v1/bookings/${bookingId}/payments`, { type: "card", token }, { "Idempotency-Key": key });
  /** Of the history, and of the public events. */
  async function shown(bookingId: string): Promise<readonly (readonly string[])[]> {
    const typesAt = async (path: string) => {
      const { body } = await mortal.api.get<{ data: readonly { type: string }[] }>(path);
      return body.data.map(({ type }) => type);
    };
    return [
      await typesAt(`/v1/bookings/${bookingId}/history`),
      await typesAt(`/v1/events?bookingId=${bookingId}&order=asc`),
    ];
  }

  /** Once all is done that is due: cent by cent. */
  async function expectAgreement(): Promise<void> {
    await mortal.advancePastGracePeriods();
    const theirs = stripe.payments();
    const ours: Payment[] = [];
    for (const { paymentId } of theirs) ours.push((await mortal.api.get<Payment>(`/v1/payments/${paymentId}`)).body);
    expect(new Set(ours.map(({ id }) => id)).size).toBe(theirs.length);
    expect(
      ours.map(({ id, status, amount, amountRefunded }) => [id, status === "succeeded" ? amount : 0, amountRefunded]),
    ).toStrictEqual(theirs.map(({ paymentId, received, refunded }) => [paymentId, received, refunded]));
    expect(ours.filter(({ status }) => status === "pending")).toStrictEqual([]);
    expect(ours.flatMap(({ refunds }) => refunds.filter(({ status }) => status !== "succeeded"))).toStrictEqual([]);
  }

  test.each(PAY)("a payment, at %s", async (step) => {
    const bookingId = await newBooking();
    await mortal.crashDuring(step, (api) => pay(api, bookingId));
    await expectAgreement();
  });

  test.each(REFUND)("a refund, at %s", async (step) => {
    const paid = await pay(mortal.api, await newBooking());
    expect(paid.status).toBe(201);
    await mortal.crashDuring(step, (api) => api.post(`/v1/payments/${paid.body.id}/refunds`, { amount: 1_000 }));
    await expectAgreement();
  });

  test("before Stripe was asked: the same request is charged, however late it is repeated", async () => {
    for (const wait of [async () => undefined, () => mortal.advancePastGracePeriods()]) {
      const bookingId = await newBooking();
      await mortal.crashDuring("pay:started", (api) => pay(api, bookingId));
      await wait();
      const repeated = await pay(mortal.api, bookingId);
      expect([repeated.status, repeated.body.status]).toStrictEqual([201, "succeeded"]);
      expect((await pay(mortal.api, bookingId)).body).toStrictEqual(repeated.body);
      await expectAgreement();
    }
  });

  test("a card that Stripe does not know: 400, no trace, also in a rebuild, and the key is free", async () => {
    const bookingId = await newBooking();
    expect((await pay(mortal.api, bookingId, { token: "pm_nobody" })).status).toBe(400);
    const untouched = [["booking.created"], []];
    expect(await shown(bookingId)).toStrictEqual(untouched);
    expect((await mortal.service.operator("POST", "/projections/bookings/rebuild", {})).status).toBeLessThan(300);
    expect(await shown(bookingId)).toStrictEqual(untouched);
    expect((await pay(mortal.api, bookingId)).body.status).toBe("succeeded");
    await expectAgreement();
  });

  test("refused for minutes: nothing fails, another payment waits, and it is charged by itself", async () => {
    const bookingId = await newBooking();
    stripe.failNext("POST /v1/payment_intents", ...Array.from({ length: 1_000 }, () => "429" as const));
    const refused = await pay(mortal.api, bookingId);
    expect([refused.status, refused.headers.get("retry-after")]).toStrictEqual([503, "5"]);
    await mortal.advancePastGracePeriods();
    expect((await pay(mortal.api, bookingId, { key: `other-${bookingId}` })).status).toBe(409);
    expect(await shown(bookingId)).toStrictEqual([["booking.created", "payment.created"], []]);
    stripe.reset();
    await until(async () => (await shown(bookingId))[1]?.includes("booking.confirmed") === true);
    expect((await pay(mortal.api, bookingId)).body.status).toBe("succeeded");
    await expectAgreement();
  });

  const atWork: readonly Fault[] = ["hold before", "hold after"];
  test.each(atWork)("while Stripe has a charge in hand (%s)", async (fault) => {
    const bookingId = await newBooking();
    const before = stripe.requests().length;
    stripe.failNext("POST /v1/payment_intents", fault);
    const lost = expect(pay(mortal.api, bookingId)).rejects.toThrow();
    await until(async () => stripe.requests().length > before);
    mortal.service.process.kill("SIGKILL");
    await lost;
    stripe.release();
    await mortal.service.ended;
    await mortal.arm("");
    await expectAgreement();
    expect(stripe.payments().at(-1)).toMatchObject({ received: expect.any(Number), status: "succeeded" });
  });
});
