import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { GatewayMisconfigured, GatewayTimeout, GatewayUnavailable } from "@travel-booking/payment-gateway";
import type { Fault } from "../engines/stripe/index.ts";
import { chargeOf, HOUR, refundOf, StripeUnderTest } from "./kit/open-stripe.ts";

const CREATE = "POST /v1/refunds";
const SUCCEEDED = { status: "succeeded" };

let stripe: StripeUnderTest;
beforeEach(async () => {
  stripe = await StripeUnderTest.start();
});
afterEach(() => stripe.stop());

const charged = (token = "tok_visa", more = {}) => stripe.gateway().charge(chargeOf("pay_1", { token, ...more }));
const refunds = () => stripe.double.payments().flatMap((payment) => payment.refunds);

describe("one refund", () => {
  test("is one request with the refund's id as its key", async () => {
    await charged();
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
    const made = stripe.double.requests().filter(({ operation }) => operation === CREATE);
    expect(made).toMatchObject([
      { idempotencyKey: "rfd_1", params: { amount: "5000", reason: "requested_by_customer" } },
    ]);
    expect(stripe.double.payments()).toMatchObject([{ received: 12_000, refunded: 5_000 }]);
  });

  test.each([
    ["duplicate", "duplicate"],
    ["fraudulent", "fraudulent"],
    ["requested_by_customer", "requested_by_customer"],
    ["booking_cancelled", "requested_by_customer"],
    ["flight_cancelled", "requested_by_customer"],
    ["other", "requested_by_customer"],
  ])("for %s is told as %s", async (reason, told) => {
    await charged();
    await stripe.gateway().refund(refundOf("rfd_1", { reason }));
    expect(refunds()).toMatchObject([{ reason: told }]);
  });

  test("of ISK is in Stripe's unit", async () => {
    await charged("tok_visa", { amount: 700, currency: "ISK" });
    expect(await stripe.gateway().refund(refundOf("rfd_1", { amount: 7, currency: "ISK" }))).toStrictEqual(SUCCEEDED);
    expect(stripe.double.payments()).toMatchObject([{ received: 70_000, refunded: 700 }]);
  });

  test("may wait, and arrives", async () => {
    await charged("pm_card_pendingRefund");
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual({ status: "pending" });
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual({ status: "pending" });
    stripe.double.completeRefund(refunds()[0]?.gatewayId ?? "");
    expect(await stripe.gateway().refundOutcome(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
  });

  test("may fail after it has succeeded, and is made again as another attempt", async () => {
    await charged();
    await stripe.gateway().refund(refundOf("rfd_1"));
    stripe.double.failRefund(refunds()[0]?.gatewayId ?? "", "lost_or_stolen_card");
    const failed = { status: "failed", reason: "lost_or_stolen_card" };
    expect(await stripe.gateway().refundOutcome(refundOf("rfd_1"))).toStrictEqual(failed);
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(failed);
    expect(await stripe.gateway().refund(refundOf("rfd_1", { attempt: 2 }))).toStrictEqual(SUCCEEDED);
    expect(stripe.double.payments()).toMatchObject([{ received: 12_000, refunded: 5_000 }]);
  });

  test.each([
    ["more than is left", 12_001, "refused"],
    ["what was given back by hand", 12_000, "refused"],
  ])("of %s is refused with a code", async (_case, amount, reason) => {
    await charged();
    stripe.double.refundByHand(stripe.double.payments()[0]?.intentId ?? "", 100);
    expect(await stripe.gateway().refund(refundOf("rfd_1", { amount }))).toStrictEqual({ status: "failed", reason });
  });

  test("of a disputed charge is refused with Stripe's code", async () => {
    await charged("tok_createDispute");
    const refused = { status: "failed", reason: "charge_disputed" };
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(refused);
  });

  test("of a charge that the adapter has forgotten finds it", async () => {
    await charged();
    stripe.forget();
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
  });
});

describe("faults", () => {
  const unknown: readonly Fault[] = ["cut before", "cut after", "500 unkept"];
  test.each(unknown)("%s: asked again", async (fault) => {
    await charged();
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().refund(refundOf("rfd_1"))).rejects.toThrow(GatewayTimeout);
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
    expect(stripe.double.payments()).toMatchObject([{ refunded: 5_000 }]);
  });

  test("a stored error that hides a refund", async () => {
    await charged();
    stripe.double.failNext(CREATE, "500 after");
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
  });

  test("a stored error that hides none lasts as long as the key", async () => {
    await charged();
    stripe.double.failNext(CREATE, "500 before");
    await expect(stripe.gateway().refund(refundOf("rfd_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(HOUR);
    await expect(stripe.gateway().refund(refundOf("rfd_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(24 * HOUR);
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
    expect(refunds().length).toBe(1);
  });

  test("a lost answer after Stripe has forgotten the key", async () => {
    await charged();
    stripe.double.failNext(CREATE, "cut after");
    await expect(stripe.gateway().refund(refundOf("rfd_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(25 * HOUR);
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
    expect(refunds().length).toBe(1);
  });

  test.each([
    ["429", GatewayUnavailable],
    ["503", GatewayUnavailable],
    ["403", GatewayMisconfigured],
  ] as const)("%s: nothing was done", async (fault, error) => {
    await charged();
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().refund(refundOf("rfd_1"))).rejects.toThrow(error);
    expect(await stripe.gateway().refundOutcome(refundOf("rfd_1"))).toBeUndefined();
  });

  test("a key in use is waited for", async () => {
    await charged();
    stripe.double.failNext(CREATE, "409", "409");
    expect(await stripe.gateway().refund(refundOf("rfd_1"))).toStrictEqual(SUCCEEDED);
  });
});
