import { BoundedBackoff, type RealTime } from "@travel-booking/runtime/real-time";
import {
  type Charge,
  type ChargeEnding,
  type ChargeRequest,
  GatewayMisconfigured,
  GatewayTimeout,
  GatewayUnavailable,
} from "../port.ts";
import { toStripeAmount } from "./amounts.ts";
import { type Asked, ask, type Refusal, read } from "./ask.ts";
import type { ChargeRecord, ChargeRecords, Ended } from "./charge-records.ts";
import type { Stripe } from "./client.ts";
import type { Customers } from "./customers.ts";
import { findIntent, WITH_CHARGE } from "./find-intent.ts";
import { decline, settleIntent } from "./settle-intent.ts";

/**
 * Stripe keeps a key for at least 24 hours from its first use. After that a request with the key could charge again, so
 * none is sent. One hour is subtracted for slow requests and for clocks that differ.
 */
const KEY_KEPT_MS = 23 * 3_600_000;
/** "Not found" counts only when it was seen twice, this far apart, because search lags by up to a minute. */
const MISSED_FOR_MS = 2 * 60_000;
/** How long a call waits while the key is in use. */
const IN_USE_MS = 2_000;

const FAILED: Ended = { ending: { status: "failed", failureCode: "processing_error" }, intentId: null };

/** The key was first used for the other request. */
type Conflict = "conflict";
/** The two requests that share a payment's key. The one that Stripe gets first decides. */
type Step = "charge" | "bar";
const CHARGE: readonly Step[] = ["charge", "bar"];
const BAR: readonly Step[] = ["bar", "charge"];

export interface ChargesOptions {
  readonly stripe: Stripe;
  readonly records: ChargeRecords;
  readonly customers: Customers;
  readonly realTime: RealTime;
  /** Milliseconds since the epoch, real time. */
  readonly now: () => number;
}

/** Charges by one PaymentIntent per payment id (docs/decisions/0048-what-is-certain-about-a-charge-at-stripe.md). */
export class Charges {
  readonly #stripe: Stripe;
  readonly #records: ChargeRecords;
  readonly #customers: Customers;
  readonly #realTime: RealTime;
  readonly #now: () => number;

  constructor({ stripe, records, customers, realTime, now }: ChargesOptions) {
    this.#stripe = stripe;
    this.#records = records;
    this.#customers = customers;
    this.#realTime = realTime;
    this.#now = now;
  }

  async charge(request: ChargeRequest): Promise<ChargeEnding> {
    if (toStripeAmount(request.amount, request.currency) === undefined) return FAILED.ending;
    const { paymentId, currency, token } = request;
    const record =
      (await this.#records.find(paymentId)) ??
      (await this.#records.open(paymentId, {
        // Measured before the customer is looked up or created, which may take long.
        since: this.#now(),
        currency,
        token,
        customer: request.saveCard ? await this.#customers.customerOf(request.accountId) : null,
      }));
    return this.#end(request, record, CHARGE);
  }

  async chargeOutcome(charge: Charge): Promise<ChargeEnding | undefined> {
    const record = await this.#records.find(charge.paymentId);
    const ended = record?.ended ?? undefined;
    const intentId = ended?.intentId ?? undefined;
    const intent =
      intentId === undefined
        ? await findIntent(this.#stripe, charge.paymentId, record?.since)
        : await read(() => this.#stripe.paymentIntents.retrieve(intentId, WITH_CHARGE));
    if (intent?.status === "succeeded" || intent?.status === "canceled") {
      const shown = await settleIntent(this.#stripe, charge.method, intent);
      return shown && (ended?.intentId ? ended.ending : shown.ending);
    }
    // Without an intent at Stripe no charge has succeeded, whatever the record says.
    return ended === undefined || ended.ending.status === "succeeded" ? undefined : ended.ending;
  }

  cancelCharge(charge: Charge): Promise<ChargeEnding> {
    return this.#close(charge, BAR);
  }

  finishCharge(charge: Charge): Promise<ChargeEnding> {
    return this.#close(charge, CHARGE);
  }

  async #close(charge: Charge, steps: readonly Step[]): Promise<ChargeEnding> {
    const { paymentId, amount, currency } = charge;
    if (toStripeAmount(amount, currency) === undefined) return { status: "barred" };
    return this.#end(charge, (await this.#records.find(paymentId)) ?? (await this.#openedToBar(charge)), steps);
  }

  /** Without a record, Stripe was never asked or our memory is lost. A charge older than the key would be found. */
  async #openedToBar({ paymentId, currency, method }: Charge): Promise<ChargeRecord> {
    const intent = await findIntent(this.#stripe, paymentId, undefined);
    const opened = await this.#records.open(paymentId, { since: this.#now(), currency, token: null, customer: null });
    const ended = intent && (await settleIntent(this.#stripe, method, intent));
    return ended === undefined
      ? opened
      : { ...opened, ended: { ...ended, ending: await this.#records.end(paymentId, ended) } };
  }

  async #end(charge: Charge, record: ChargeRecord, steps: readonly Step[]): Promise<ChargeEnding> {
    if (record.ended !== null) return record.ended.ending;
    return this.#records.end(charge.paymentId, await this.#resolve(charge, record, steps));
  }

  /** @throws GatewayTimeout the charge has not ended, or its end is not certain yet. */
  async #resolve(charge: Charge, record: ChargeRecord, steps: readonly Step[]): Promise<Ended> {
    const token = this.#records.tokenOf(charge.paymentId, record);
    for (const [index, step] of steps.entries()) {
      if (this.#now() - record.since > KEY_KEPT_MS) break;
      if (step === "charge" && token === undefined) continue;
      const sent =
        step === "charge" && token !== undefined
          ? this.#sendCharge(charge, record, token)
          : this.#sendBar(charge, record);
      const ended = await (index === 0 ? sent : uncertain(sent));
      if (ended !== "conflict") return ended;
    }
    return this.#lookFor(charge, record);
  }

  async #sendCharge(charge: Charge, record: ChargeRecord, token: string): Promise<Ended | Conflict> {
    const asked = await this.#create(charge, {
      confirm: true,
      error_on_requires_action: true,
      ...meansOf(token),
      ...(record.customer !== null && { customer: record.customer, setup_future_usage: "off_session" }),
      ...WITH_CHARGE,
    });
    if ("answer" in asked) return this.#settle(charge, asked.answer);
    const { refusal } = asked;
    if (refusal.kind === "declined") return this.#declined(charge, refusal);
    if (refusal.kind !== "invalid") return this.#unanswered(charge, record, refusal);
    if (refusal.param === "customer") await this.#customers.forget(charge.accountId);
    return { ending: refusedAs(refusal), intentId: null };
  }

  async #sendBar(charge: Charge, record: ChargeRecord): Promise<Ended | Conflict> {
    const asked = await this.#create(charge, {});
    if ("answer" in asked) return this.#settle(charge, asked.answer);
    const { refusal } = asked;
    if (refusal.kind === "declined" || refusal.kind === "invalid")
      return { ending: { status: "barred" }, intentId: null };
    return this.#unanswered(charge, record, refusal);
  }

  /** Creates an intent with the payment's key. Waits a while if another request uses the key. */
  async #create(
    { paymentId, bookingId, accountId, amount, currency }: Charge,
    more: Omit<Stripe.PaymentIntentCreateParams, "amount" | "currency">,
  ): Promise<Asked<Stripe.PaymentIntent>> {
    // The library's types are those of a later version of the API (./client.ts).
    const params: Stripe.PaymentIntentCreateParams & { payment_method_types: readonly string[] } = {
      amount: toStripeAmount(amount, currency) ?? 0,
      currency: currency.toLowerCase(),
      payment_method_types: ["card"],
      metadata: { payment_id: paymentId, booking_id: bookingId, account_id: accountId },
      ...more,
    };
    const backoff = new BoundedBackoff(this.#realTime, IN_USE_MS);
    for (;;) {
      const asked = await ask(() => this.#stripe.paymentIntents.create(params, { idempotencyKey: paymentId }));
      const inUse = "refusal" in asked && asked.refusal.kind === "key in use";
      if (!inUse || !(await backoff.pause())) return asked;
    }
  }

  async #settle(charge: Charge, intent: Stripe.PaymentIntent): Promise<Ended> {
    const ended = await settleIntent(this.#stripe, charge.method, intent);
    if (ended === undefined) throw new GatewayTimeout("Stripe has not finished a charge");
    return ended;
  }

  async #declined(charge: Charge, refusal: Extract<Refusal, { kind: "declined" }>): Promise<Ended> {
    const { code, intent, paymentMethod } = refusal;
    // No client can confirm the intent again, so the decline counts even if cancelling fails.
    if (intent !== undefined) await ask(() => this.#stripe.paymentIntents.cancel(intent.id)).catch(() => undefined);
    return { ending: decline(charge.method, code, paymentMethod), intentId: intent?.id ?? null };
  }

  async #unanswered(
    charge: Charge,
    record: ChargeRecord,
    refusal: Exclude<Refusal, { kind: "declined" | "invalid" }>,
  ): Promise<Ended | Conflict> {
    if (refusal.kind === "key conflict") return "conflict";
    if (refusal.kind === "key in use") throw new GatewayTimeout("Stripe is at work on a charge");
    if (refusal.replayed) return this.#lookFor(charge, record);
    // The request may have been executed just now, so an earlier "not found" does not count.
    return this.#lookFor(charge, { ...record, missedAt: null });
  }

  /** Looks for the intent after a stored error, or after Stripe forgot the key. */
  async #lookFor(charge: Charge, { since, missedAt }: ChargeRecord): Promise<Ended> {
    const intent = await uncertain(findIntent(this.#stripe, charge.paymentId, since));
    if (intent !== undefined) return uncertain(this.#settle(charge, intent));
    if (missedAt !== null && this.#now() - missedAt > MISSED_FOR_MS) return FAILED;
    if (missedAt === null) await this.#records.setMissedAt(charge.paymentId, this.#now());
    throw new GatewayTimeout("Stripe may know of a charge, and has not found it yet");
  }
}

/** This request had no effect, but the one before it may have had one. */
async function uncertain<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable) || error instanceof GatewayMisconfigured) throw error;
    throw new GatewayTimeout(error.message);
  }
}

function meansOf(token: string): Pick<Stripe.PaymentIntentCreateParams, "payment_method" | "payment_method_data"> {
  if (token.startsWith("pm_")) return { payment_method: token };
  // The library's types do not allow a card by its token.
  const card = { type: "card", card: { token } } as unknown as Stripe.PaymentIntentCreateParams.PaymentMethodData;
  return { payment_method_data: card };
}

function refusedAs({ code, param }: Extract<Refusal, { kind: "invalid" }>): ChargeEnding {
  if (param.startsWith("payment_method") || code === "token_already_used") return { status: "rejected" };
  return { status: "failed", failureCode: param === "currency" ? "currency_not_supported" : "processing_error" };
}
