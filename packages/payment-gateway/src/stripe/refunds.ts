import { BoundedBackoff, type RealTime } from "@travel-booking/runtime/real-time";
import { GatewayTimeout, type RefundOutcome, type RefundRequest } from "../port.ts";
import { toStripeAmount } from "./amounts.ts";
import { ask, type Refusal, read } from "./ask.ts";
import type { ChargeRecords } from "./charge-records.ts";
import type { Stripe } from "./client.ts";
import { findIntent } from "./find-intent.ts";

/** How long a call waits while the key is in use. */
const IN_USE_MS = 2_000;
const PAGE = 100;
/** Those of our reasons that Stripe has, too. */
const REASONS: ReadonlySet<string> = new Set(["duplicate", "fraudulent"]);

const refused = (reason: string): RefundOutcome => ({ status: "failed", reason });

interface Charged {
  readonly intentId: string;
  readonly currency: string;
}

/** Refunds by one Refund per refund id and attempt. */
export class Refunds {
  readonly #stripe: Stripe;
  readonly #records: ChargeRecords;
  readonly #realTime: RealTime;

  constructor(stripe: Stripe, records: ChargeRecords, realTime: RealTime) {
    this.#stripe = stripe;
    this.#records = records;
    this.#realTime = realTime;
  }

  /** Looks for the refund first: Stripe forgets a key after a day, but its list of one intent's refunds is complete. */
  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const charged = await this.#charged(request.paymentId);
    if (charged === undefined) return refused("not_charged");
    const amount = toStripeAmount(request.amount, request.currency);
    if (charged.currency !== request.currency) return refused("other_currency");
    if (amount === undefined) return refused("amount_not_supported");
    const made = await this.#made(charged.intentId, request);
    return made === undefined ? this.#create(request, charged.intentId, amount) : outcomeOf(made);
  }

  async refundOutcome(request: RefundRequest): Promise<RefundOutcome | undefined> {
    const charged = await this.#charged(request.paymentId);
    const made = charged && (await this.#made(charged.intentId, request));
    return made && outcomeOf(made);
  }

  async #charged(paymentId: string): Promise<Charged | undefined> {
    const record = await this.#records.find(paymentId);
    if (record?.ended && record.ended.intentId !== null) {
      const { ending, intentId } = record.ended;
      return ending.status === "succeeded" ? { intentId, currency: record.currency } : undefined;
    }
    const intent = await findIntent(this.#stripe, paymentId, record?.since);
    return intent?.status === "succeeded"
      ? { intentId: intent.id, currency: intent.currency.toUpperCase() }
      : undefined;
  }

  async #made(intentId: string, { refundId, attempt }: RefundRequest): Promise<Stripe.Refund | undefined> {
    return read(async () => {
      for await (const refund of this.#stripe.refunds.list({ payment_intent: intentId, limit: PAGE })) {
        const { metadata } = refund;
        if (metadata?.refund_id === refundId && metadata.attempt === String(attempt)) return refund;
      }
      return undefined;
    });
  }

  async #create(request: RefundRequest, intentId: string, amount: number): Promise<RefundOutcome> {
    const { refundId, attempt, paymentId, reason } = request;
    const params: Stripe.RefundCreateParams = {
      payment_intent: intentId,
      amount,
      reason: (REASONS.has(reason) ? reason : "requested_by_customer") as Stripe.RefundCreateParams.Reason,
      metadata: { payment_id: paymentId, refund_id: refundId, attempt: String(attempt) },
    };
    const idempotencyKey = attempt === 1 ? refundId : `${refundId}-${attempt}`;
    const backoff = new BoundedBackoff(this.#realTime, IN_USE_MS);
    for (;;) {
      const asked = await ask(() => this.#stripe.refunds.create(params, { idempotencyKey }));
      if ("answer" in asked) return outcomeOf(asked.answer);
      if (asked.refusal.kind === "key in use" && (await backoff.pause())) continue;
      return this.#refused(asked.refusal, intentId, request);
    }
  }

  /** @throws GatewayTimeout the refund may have been made. */
  async #refused(refusal: Refusal, intentId: string, request: RefundRequest): Promise<RefundOutcome> {
    if (refusal.kind === "invalid") return refused(refusal.code || "refused");
    if (refusal.kind === "declined") return refused("declined");
    const made = await this.#made(intentId, request);
    if (made !== undefined) return outcomeOf(made);
    throw new GatewayTimeout(`Stripe has not said what became of a refund (${refusal.kind})`);
  }
}

function outcomeOf({ status, failure_reason: reason }: Stripe.Refund): RefundOutcome {
  if (status === "succeeded") return { status };
  if (status === "failed" || status === "canceled") return refused(reason ?? status);
  return { status: "pending" };
}
