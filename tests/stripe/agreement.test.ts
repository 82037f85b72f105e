import { expect, test } from "@jest/globals";
import { GatewayTimeout, GatewayUnavailable, type RefundOutcome } from "@travel-booking/payment-gateway";
import fc from "fast-check";
import type { Fault } from "../engines/stripe/index.ts";
import { chargeOf, HOUR, MINUTE, refundOf, StripeUnderTest } from "./kit/open-stripe.ts";

const FAULTS: readonly Fault[] = [
  "cut before",
  "cut after",
  "500 before",
  "500 after",
  "500 unkept",
  "429",
  "503",
  "409",
  "may not charge",
];
const OPERATIONS = [
  "POST /v1/payment_intents",
  "POST /v1/payment_intents/:id/cancel",
  "POST /v1/refunds",
  "GET /v1/payment_intents",
  "GET /v1/payment_intents/search",
  "GET /v1/payment_intents/:id",
  "GET /v1/refunds",
];

const payment = fc.record({
  token: fc.constantFrom("tok_visa", "pm_card_visa", "tok_chargeDeclined", "tok_nobody"),
  tries: fc.integer({ min: 0, max: 3 }),
  /** Between the tries and the end, and between each two questions then. */
  idleMs: fc.constantFrom(0, 3 * MINUTE, 25 * HOUR),
  refund: fc.integer({ min: 0, max: 12_000 }),
});
const fault = fc.record({ operation: fc.constantFrom(...OPERATIONS), fault: fc.constantFrom(...FAULTS) });

/** Asks until there is an answer; time passes in between. */
async function ended<Answer>(stripe: StripeUnderTest, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GatewayTimeout || error instanceof GatewayUnavailable)) throw error;
      stripe.advance(3 * MINUTE + (error instanceof GatewayTimeout ? HOUR : 0));
    }
  }
}

test("whatever goes wrong, the answers and Stripe's books agree cent by cent", async () => {
  const property = fc.asyncProperty(
    fc.array(payment, { minLength: 1, maxLength: 4 }),
    fc.array(fault, { maxLength: 12 }),
    fc.constantFrom(0, MINUTE),
    async (payments, faults, lag) => {
      const stripe = await StripeUnderTest.start();
      try {
        stripe.double.lagSearch(lag);
        for (const { operation, fault } of faults) stripe.double.failNext(operation, fault);
        for (const [index, { token, tries, idleMs, refund }] of payments.entries()) {
          const paymentId = `pay_${index}`;
          const charge = chargeOf(paymentId, { token });
          let last: { readonly status: string } | undefined;
          for (let attempt = 0; attempt < tries && last === undefined; attempt += 1) {
            last = await stripe
              .gateway()
              .charge(charge)
              .catch(() => undefined);
          }
          stripe.advance(idleMs);
          const outcome = await ended(stripe, () => stripe.gateway().cancelCharge(charge));
          if (last !== undefined) expect(last.status === "succeeded").toBe(outcome.status === "succeeded");
          let refunded: RefundOutcome = { status: "failed", reason: "none" };
          if (refund > 0) {
            const request = refundOf(`rfd_${index}`, { paymentId, amount: refund });
            refunded = await ended(stripe, () => stripe.gateway().refund(request));
          }
          const booked = stripe.double.payments().filter((entry) => entry.paymentId === paymentId);
          const sum = (field: "received" | "refunded") => booked.reduce((total, entry) => total + entry[field], 0);
          expect({ received: sum("received"), refunded: sum("refunded") }).toStrictEqual({
            received: outcome.status === "succeeded" ? 12_000 : 0,
            refunded: refunded.status === "succeeded" ? refund : 0,
          });
          if (outcome.status === "succeeded" && refund > 0) expect(refunded.status).toBe("succeeded");
          expect(await stripe.gateway().charge(charge)).not.toMatchObject({
            status: outcome.status === "succeeded" ? "failed" : "succeeded",
          });
        }
      } finally {
        await stripe.stop();
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
