import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { LedgerCharge } from "@travel-booking/payment-gateway";
import { chargeOf, HOUR, refundOf, StripeUnderTest } from "./kit/open-stripe.ts";

let stripe: StripeUnderTest;
beforeEach(async () => {
  stripe = await StripeUnderTest.start();
});
afterEach(() => stripe.stop());

async function ledger(since = 0): Promise<readonly LedgerCharge[]> {
  const charges: LedgerCharge[] = [];
  let after: string | undefined;
  do {
    const page = await stripe.gateway().ledgerPage(since, after);
    charges.push(...page.charges);
    after = page.next;
  } while (after !== undefined);
  return charges;
}

test("has what was done by hand, and no refund that came back", async () => {
  await stripe.gateway().charge(chargeOf("pay_1"));
  await stripe.gateway().refund(refundOf("rfd_1", { amount: 1_000 }));
  await stripe.gateway().refund(refundOf("rfd_2", { amount: 2_000 }));
  const [payment] = stripe.double.payments();
  const intentId = payment?.intentId ?? "";
  stripe.double.failRefund(payment?.refunds[1]?.gatewayId ?? "", "expired_or_canceled_card");
  const byHand = stripe.double.refundByHand(intentId, 300);
  const disputeId = stripe.double.dispute(intentId, "fraudulent");
  const status = "succeeded";
  expect(await ledger()).toStrictEqual([
    {
      gatewayId: intentId,
      paymentId: "pay_1",
      isSecond: false,
      createdAt: expect.any(Number),
      amount: 12_000,
      currency: "USD",
      refunds: [
        { gatewayId: byHand, refundId: null, amount: 300, status },
        { gatewayId: payment?.refunds[0]?.gatewayId, refundId: "rfd_1", amount: 1_000, status },
      ],
      disputes: [
        {
          disputeId,
          paymentId: "pay_1",
          amount: 12_000,
          currency: "USD",
          reason: "fraudulent",
          status: "needs_response",
        },
      ],
    },
  ]);
});

test.each(["ISK", "MGA"])("is in our units: %s", async (currency) => {
  await stripe.gateway().charge(chargeOf("pay_1", { amount: 70_000, currency }));
  await stripe.gateway().refund(refundOf("rfd_1", { amount: 700, currency }));
  expect(await ledger()).toMatchObject([{ amount: 70_000, currency, refunds: [{ amount: 700 }] }]);
});

test("tells a second charge under a payment's id from the payment's own, and when each was made", async () => {
  await stripe.gateway().charge(chargeOf("pay_1"));
  const [own] = stripe.double.payments();
  // Stripe has forgotten the key, and another service with the same account knows of nothing.
  stripe.advance(25 * HOUR);
  const since = Date.now() + 25 * HOUR - 60_000;
  const { context } = stripe;
  stripe.forget();
  await stripe.gateway().charge(chargeOf("pay_1"));
  stripe.context = context;
  const again = stripe.double.payments().find(({ intentId }) => intentId !== own?.intentId);
  const shown = async (from: number) =>
    (await ledger(from)).map(({ gatewayId, isSecond, createdAt }) => ({ gatewayId, isSecond, createdAt }));
  const second = { gatewayId: again?.intentId, isSecond: true, createdAt: expect.any(Number) };
  expect(await shown(since)).toStrictEqual([second]);
  expect(await shown(0)).toStrictEqual([
    second,
    { gatewayId: own?.intentId, isSecond: false, createdAt: expect.any(Number) },
  ]);
});

test("is walked page by page from a moment on", async () => {
  await stripe.gateway().charge(chargeOf("pay_old"));
  stripe.advance(HOUR);
  const since = Date.now() + HOUR - 60_000;
  const ids = Array.from({ length: 205 }, (_, index) => `pay_${String(index).padStart(3, "0")}`);
  for (const id of ids) await stripe.gateway().charge(chargeOf(id));
  expect((await ledger(since)).map(({ paymentId }) => paymentId).sort()).toStrictEqual(ids);
});

test("a success that Stripe does not have is none, whatever is remembered", async () => {
  await stripe.gateway().charge(chargeOf("pay_1"));
  const other = await StripeUnderTest.start();
  other.context = stripe.context;
  expect(await other.gateway().chargeOutcome(chargeOf("pay_1"))).toBeUndefined();
  expect(await stripe.gateway().chargeOutcome(chargeOf("pay_1"))).toMatchObject({ status: "succeeded" });
  await other.stop();
});
