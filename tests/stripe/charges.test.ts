import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  type ChargeRequest,
  GatewayMisconfigured,
  GatewayTimeout,
  GatewayUnavailable,
} from "@travel-booking/payment-gateway";
import type { Fault } from "../engines/stripe/index.ts";
import { chargeOf, HOUR, MINUTE, refundOf, StripeUnderTest } from "./kit/open-stripe.ts";

const CREATE = "POST /v1/payment_intents";
const SUCCEEDED = { status: "succeeded" };
const FAILED = { status: "failed", failureCode: "processing_error" };
const BARRED = { status: "barred" };
const CARD = { type: "card", card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2034 } };

let stripe: StripeUnderTest;
beforeEach(async () => {
  stripe = await StripeUnderTest.start();
});
afterEach(() => stripe.stop());

/** What the double took, by payment. */
const taken = () => stripe.double.payments().map(({ paymentId, received }) => [paymentId, received]);
const created = () => stripe.double.requests().filter(({ operation }) => operation === CREATE);

describe("one payment", () => {
  test("is one request with the payment's id as its key, in a fixed version, and tells nothing but our ids", async () => {
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toStrictEqual({ status: "succeeded", details: CARD });
    expect(stripe.double.requests()).toStrictEqual([
      {
        operation: CREATE,
        idempotencyKey: "pay_1",
        apiVersion: "2026-08-26.dahlia",
        fault: undefined,
        status: 200,
        params: {
          amount: "12000",
          currency: "usd",
          confirm: "true",
          error_on_requires_action: "true",
          payment_method_types: ["card"],
          payment_method_data: { type: "card", card: { token: "tok_visa" } },
          metadata: { payment_id: "pay_1", booking_id: "bkg_1", account_id: "acc_1" },
          expand: ["latest_charge"],
        },
      },
    ]);
  });

  test("takes a payment method as it is", async () => {
    await stripe.gateway().charge(chargeOf("pay_1", { token: "pm_card_visa" }));
    expect(created()[0]?.params).toMatchObject({ payment_method: "pm_card_visa" });
  });

  test.each([
    ["tok_double_apple_pay", "apple_pay"],
    ["pm_double_google_pay", "google_pay"],
  ])("%s shows its wallet", async (token, type) => {
    expect(await stripe.gateway().charge(chargeOf("pay_1", { method: "wallet", token }))).toStrictEqual({
      status: "succeeded",
      details: { type: "wallet", wallet: { type } },
    });
  });

  test.each([
    ["tok_double_declined_insufficient_funds", "insufficient_funds"],
    ["tok_double_declined_expired_card", "expired_card"],
    ["tok_double_declined_incorrect_cvc", "incorrect_cvc"],
    ["tok_double_declined_invalid_cvc", "incorrect_cvc"],
    ["tok_double_declined_incorrect_number", "incorrect_number"],
    ["tok_double_declined_invalid_number", "incorrect_number"],
    ["tok_double_declined_do_not_honor", "do_not_honor"],
    ["tok_double_declined_card_not_supported", "card_not_supported"],
    ["tok_double_declined_currency_not_supported", "currency_not_supported"],
    ["tok_double_declined_processing_error", "processing_error"],
    ["tok_double_declined_issuer_not_available", "issuer_not_available"],
    ["tok_double_declined_lost_card", "card_declined"],
    ["tok_double_declined_constructor", "card_declined"],
    ["tok_chargeDeclined", "card_declined"],
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds"],
    ["tok_chargeDeclinedExpiredCard", "expired_card"],
    ["pm_card_authenticationRequired", "authentication_required"],
    ["tok_double_declined_authentication_not_handled", "authentication_required"],
  ])("%s: %s, with its card, and the intent is cancelled", async (token, failureCode) => {
    const declined = await stripe.gateway().charge(chargeOf("pay_1", { token }));
    expect(declined).toMatchObject({
      status: "failed",
      failureCode,
      details: { type: "card", card: { brand: "visa" } },
    });
    expect(stripe.double.payments()).toMatchObject([{ paymentId: "pay_1", status: "canceled", received: 0 }]);
  });

  test.each(["tok_nobody", "pm_nobody"])("%s, which Stripe does not know, is rejected for good", async (token) => {
    const charge = chargeOf("pay_1", { token });
    expect(await stripe.gateway().charge(charge)).toStrictEqual({ status: "rejected" });
    expect(await stripe.gateway().charge(charge)).toStrictEqual({ status: "rejected" });
    expect(await stripe.gateway().cancelCharge(charge)).toStrictEqual({ status: "rejected" });
    expect(stripe.double.payments()).toStrictEqual([]);
  });

  test.each([
    ["JPY", 500, "500"],
    ["KRW", 50, "50"],
    ["ISK", 7, "700"],
    ["KWD", 1_230, "1230"],
    ["MGA", 200_000_000, "2000000"],
    ["USD", 99_999_999, "99999999"],
  ])("%s %i", async (currency, amount, sent) => {
    expect(await stripe.gateway().charge(chargeOf("pay_1", { currency, amount }))).toMatchObject(SUCCEEDED);
    expect(created()[0]?.params).toMatchObject({ amount: sent, currency: currency.toLowerCase() });
  });

  test.each([
    ["KWD", 1_234, "processing_error"],
    ["MGA", 2_050, "processing_error"],
    ["ISK", 1_000_000, "processing_error"],
    ["USD", 100_000_000, "processing_error"],
    ["USD", 49, "processing_error"],
    ["XTS", 1_000, "currency_not_supported"],
  ])("%s %i can't be taken: %s", async (currency, amount, failureCode) => {
    const charge = chargeOf("pay_1", { currency, amount });
    expect(await stripe.gateway().charge(charge)).toStrictEqual({ status: "failed", failureCode });
    expect(["barred", "failed"]).toContain((await stripe.gateway().cancelCharge(charge)).status);
    expect(taken()).toStrictEqual([]);
  });
});

describe("a token at rest", () => {
  const records = () => stripe.context.state.list<{ token: string | null }>("stripe-charges", { limit: 10 });

  test("is sealed while the charge is open, and gone afterwards", async () => {
    stripe.double.failNext(CREATE, "cut after");
    await expect(stripe.gateway().charge(chargeOf("pay_1", { token: "pm_card_visa" }))).rejects.toThrow(GatewayTimeout);
    const open = await records();
    expect(open[0]?.value.token).toEqual(expect.any(String));
    expect(JSON.stringify(open)).not.toContain("pm_card_visa");
    await stripe.gateway().charge(chargeOf("pay_1", { token: "pm_card_visa" }));
    expect((await records())[0]?.value.token).toBeNull();
  });

  test("sealed under another secret the charge is found without it", async () => {
    stripe.double.failNext(CREATE, "cut after");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.context = { ...stripe.context, secretKey: "another secret of the service" };
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });
});

describe("faults", () => {
  const unknown: readonly Fault[] = ["cut before", "cut after", "500 unkept"];
  test.each(unknown)("%s: the outcome is unknown, and the same request again has it", async (fault) => {
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });

  test("silence ends, before and after Stripe has acted", async () => {
    stripe.double.failNext(CREATE, "silent before", "silent after");
    const charges = ["pay_1", "pay_2"].map((id) => stripe.gateway().charge(chargeOf(id)));
    await Promise.all(charges.map((charge) => expect(charge).rejects.toThrow(GatewayTimeout)));
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(await stripe.gateway().charge(chargeOf("pay_2"))).toMatchObject(SUCCEEDED);
    expect(taken().sort()).toStrictEqual([
      ["pay_1", 12_000],
      ["pay_2", 12_000],
    ]);
  });

  const refusals: readonly Fault[] = ["429", "503"];
  test.each(refusals)("%s: nothing was done, the same request again does it", async (fault) => {
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });

  test("nobody listens", async () => {
    await stripe.double.refuseConnections(true);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    await stripe.double.refuseConnections(false);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });

  const misconfigured: readonly Fault[] = ["403", "may not charge"];
  test.each(misconfigured)("%s is the operator's, no decline", async (fault) => {
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayMisconfigured);
    expect(await stripe.gateway().chargeOutcome(chargeOf("pay_1"))).toBeUndefined();
  });

  test("a refused key is the operator's, and no secret is in the error", async () => {
    const failure: unknown = await stripe
      .gateway("sk_test_revoked")
      .charge(chargeOf("pay_1"))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GatewayMisconfigured);
    expect(String((failure as Error).stack)).not.toContain("sk_test");
    expect((failure as Error).cause).toBeUndefined();
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });

  test("a key in use is waited for", async () => {
    stripe.double.failNext(CREATE, "409", "409");
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(created().length).toBe(3);
  });

  test("a key that stays in use leaves the outcome unknown", async () => {
    stripe.double.failNext(CREATE, "hold before");
    const first = stripe.gateway().charge(chargeOf("pay_1"));
    await seen(1);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.double.release();
    expect(await first).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });

  test("a stored error that hides a charge: it is listed, though search lags", async () => {
    stripe.double.lagSearch(MINUTE);
    stripe.double.failNext(CREATE, "500 after");
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });

  test("a stored error that hides a decline", async () => {
    stripe.double.failNext(CREATE, "500 after");
    const charge = chargeOf("pay_1", { token: "tok_chargeDeclinedExpiredCard" });
    expect(await stripe.gateway().charge(charge)).toMatchObject({ status: "failed", failureCode: "expired_card" });
    expect(stripe.double.payments()).toMatchObject([{ status: "canceled" }]);
  });

  test("a stored error that hides nothing counts after it was looked behind twice, two minutes apart", async () => {
    stripe.double.failNext(CREATE, "500 before");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(MINUTE);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(1.5 * MINUTE);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toStrictEqual(FAILED);
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toStrictEqual(FAILED);
    expect(taken()).toStrictEqual([]);
  });

  test("a refusal while it is looked behind a stored error does not say that nothing was charged", async () => {
    stripe.double.failNext(CREATE, "500 after");
    stripe.double.failNext("GET /v1/payment_intents", "429");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });

  test("a decline counts though it can't be cancelled", async () => {
    stripe.double.failNext("POST /v1/payment_intents/:id/cancel", "503");
    const charge = chargeOf("pay_1", { token: "tok_chargeDeclined" });
    expect(await stripe.gateway().charge(charge)).toMatchObject({ status: "failed", failureCode: "card_declined" });
  });
});

describe("after a day, when Stripe has forgotten the key", () => {
  const day = 25 * HOUR;

  test.each(["charge", "cancelCharge"] as const)(
    "%s finds a charge whose answer was lost, and sends nothing",
    async (ask) => {
      stripe.double.failNext(CREATE, "cut after");
      await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
      stripe.advance(day);
      expect(await stripe.gateway()[ask](chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
      expect(created().length).toBe(1);
      expect(taken()).toStrictEqual([["pay_1", 12_000]]);
    },
  );

  test.each(["charge", "cancelCharge"] as const)("%s of what Stripe never got fails, seen twice", async (ask) => {
    stripe.double.failNext(CREATE, "cut before");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(day);
    await expect(stripe.gateway()[ask](chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(3 * MINUTE);
    expect(await stripe.gateway()[ask](chargeOf("pay_1"))).toStrictEqual(FAILED);
    expect(taken()).toStrictEqual([]);
    expect(created().length).toBe(1);
  });

  test("what a later request with the key charged is found by search alone", async () => {
    stripe.double.failNext(CREATE, "cut before");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(20 * HOUR);
    stripe.double.failNext(CREATE, "cut after");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.double.lagSearch(MINUTE);
    stripe.advance(10 * HOUR);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });
});

test("a charge that was given up and took money all the same is seen by its outcome, and can be refunded", async () => {
  stripe.double.failNext(CREATE, "hold before");
  const late = stripe.gateway().charge(chargeOf("pay_1"));
  await seen(1);
  stripe.advance(25 * HOUR);
  await expect(stripe.gateway().cancelCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
  stripe.advance(3 * MINUTE);
  expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toStrictEqual(FAILED);
  stripe.double.release();
  expect(await late).toStrictEqual(FAILED);
  expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  expect(await stripe.gateway().chargeOutcome(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  expect(await stripe.gateway().refund(refundOf("rfd_1", { amount: 12_000 }))).toStrictEqual(SUCCEEDED);
});

describe("a charge that Stripe refused to look at", () => {
  const refusals: readonly Fault[] = ["429", "503"];
  test.each(refusals)("%s: goes on with its token and key, also in another instance", async (fault) => {
    stripe.double.failNext(CREATE, fault, fault);
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    stripe.advance(HOUR);
    await expect(stripe.gateway().finishCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    expect(await stripe.gateway().finishCharge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
    expect(new Set(created().map(({ idempotencyKey }) => idempotencyKey))).toStrictEqual(new Set(["pay_1"]));
    expect(taken()).toStrictEqual([["pay_1", 12_000]]);
  });

  test("is given up when the key is a day old", async () => {
    stripe.double.failNext(CREATE, "429");
    await expect(stripe.gateway().charge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    stripe.advance(25 * HOUR);
    await expect(stripe.gateway().finishCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.advance(3 * MINUTE);
    expect(await stripe.gateway().finishCharge(chargeOf("pay_1"))).toStrictEqual(FAILED);
    expect(created().length).toBe(1);
  });
});

describe("barring", () => {
  test("takes the key with an intent that is never confirmed, and cancels it", async () => {
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toStrictEqual(BARRED);
    expect(stripe.double.payments()).toMatchObject([{ paymentId: "pay_1", status: "canceled", received: 0 }]);
    const { params, idempotencyKey } = created()[0] ?? {};
    expect(idempotencyKey).toBe("pay_1");
    expect(params).not.toHaveProperty("confirm");
  });

  test("holds against an instance that shares no memory", async () => {
    await stripe.gateway().cancelCharge(chargeOf("pay_1"));
    stripe.forget();
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toStrictEqual(BARRED);
    expect(taken()).toStrictEqual([["pay_1", 0]]);
  });

  const losses: readonly Fault[] = ["cut before", "cut after", "500 unkept"];
  test.each(losses)("%s: asked again", async (fault) => {
    stripe.double.failNext(CREATE, fault);
    await expect(stripe.gateway().cancelCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toStrictEqual(BARRED);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toStrictEqual(BARRED);
    expect(taken()).toStrictEqual([["pay_1", 0]]);
  });

  test("is not done before the intent is cancelled", async () => {
    stripe.double.failNext("POST /v1/payment_intents/:id/cancel", "503");
    await expect(stripe.gateway().cancelCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayUnavailable);
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toStrictEqual(BARRED);
    expect(stripe.double.payments()).toMatchObject([{ status: "canceled" }]);
  });

  test.each(["in use", "other parameters"] as const)("of a charge under way (told: %s) waits for it", async (told) => {
    stripe.double.whileKeyIsInUse(told);
    stripe.double.failNext(CREATE, "hold before");
    const charge = stripe.gateway().charge(chargeOf("pay_1"));
    await seen(1);
    await expect(stripe.gateway().cancelCharge(chargeOf("pay_1"))).rejects.toThrow(GatewayTimeout);
    stripe.double.release();
    expect(await charge).toMatchObject(SUCCEEDED);
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });

  test.each(["500 before", "500 after"] as const)("%s: the key is taken all the same", async (fault) => {
    stripe.double.failNext(CREATE, fault);
    const first = await stripe
      .gateway()
      .cancelCharge(chargeOf("pay_1"))
      .catch(() => undefined);
    stripe.advance(3 * MINUTE);
    const second = await stripe.gateway().cancelCharge(chargeOf("pay_1"));
    const ending = fault === "500 after" ? BARRED : FAILED;
    expect(fault === "500 after" ? first : second).toStrictEqual(ending);
    expect(await stripe.gateway().charge(chargeOf("pay_1"))).toStrictEqual(ending);
    expect(taken().flat()).not.toContain(12_000);
  });

  test.each([0, MINUTE])("of a charge that the adapter has forgotten finds it (search lags %i ms)", async (lag) => {
    stripe.double.lagSearch(lag);
    await stripe.gateway().charge(chargeOf("pay_1"));
    stripe.forget();
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });

  test("of a charge that the adapter and Stripe's keys have forgotten finds it", async () => {
    await stripe.gateway().charge(chargeOf("pay_1"));
    stripe.forget();
    stripe.advance(48 * HOUR);
    expect(await stripe.gateway().cancelCharge(chargeOf("pay_1"))).toMatchObject(SUCCEEDED);
  });
});

describe("saved cards", () => {
  const saving = (paymentId: string, more: Partial<ChargeRequest> = {}) =>
    chargeOf(paymentId, { saveCard: true, ...more });
  const customers = () => created().map(({ params }) => (params as { readonly customer?: string }).customer);

  test("belong to one customer per account, made once, also by two instances at once", async () => {
    await Promise.all([stripe.gateway().charge(saving("pay_1")), stripe.gateway().charge(saving("pay_2"))]);
    await stripe.gateway().charge(saving("pay_3"));
    stripe.forget();
    stripe.advance(48 * HOUR);
    await stripe.gateway().charge(saving("pay_4"));
    expect(new Set(customers()).size).toBe(1);
    expect(customers()[0]).toMatch(/^cus_/);
    const made = stripe.double.requests().filter(({ operation }) => operation === "POST /v1/customers");
    expect(made.map(({ params }) => params)).toStrictEqual(made.map(() => ({ metadata: { account_id: "acc_1" } })));
    await stripe.gateway().charge(saving("pay_5", { accountId: "acc_2" }));
    expect(new Set(customers()).size).toBe(2);
  });

  test("nothing is charged where the customer can't be had", async () => {
    stripe.double.failNext("GET /v1/customers/search", "cut after");
    await expect(stripe.gateway().charge(saving("pay_1"))).rejects.toThrow(GatewayUnavailable);
    expect(created()).toStrictEqual([]);
    expect(await stripe.gateway().charge(saving("pay_1"))).toMatchObject(SUCCEEDED);
  });
});

/** So many requests have come in. */
async function seen(count: number): Promise<void> {
  while (stripe.double.requests().length < count) await new Promise((resolve) => setImmediate(resolve));
}
