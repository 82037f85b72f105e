import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import type {
  Charge,
  ChargeRequest,
  GatewayContext,
  InboundEvent,
  PaymentGateway,
  RefundRequest,
  TokenDetails,
} from "../port.ts";
import { AMOUNT_STEPS } from "./amounts.ts";
import { ChargeRecords } from "./charge-records.ts";
import { Charges } from "./charges.ts";
import { type Stripe, stripeClient } from "./client.ts";
import { Customers } from "./customers.ts";
import { inboundEvent } from "./inbound.ts";
import { ledgerPage } from "./ledger.ts";
import { Refunds } from "./refunds.ts";
import type { StripeSettings } from "./settings.ts";

const TOKEN = /^(?:pm|tok)_[A-Za-z0-9_]+$/;
/** Shown until Stripe has reported the card. */
const UNKNOWN_CARD = { brand: "unknown", last4: "????", expMonth: 12, expYear: 9999 };

export interface StripeClocks {
  readonly realTime?: RealTime;
  /** Milliseconds since the epoch, real time. Stripe's keys and the signatures of its events depend on it. */
  readonly now?: () => number;
}

/** Charges at Stripe. Facts about a payment that are not in Stripe's books are in the state store. */
export class StripeGateway implements PaymentGateway {
  readonly amountSteps = AMOUNT_STEPS;
  readonly #stripe: Stripe;
  readonly #records: ChargeRecords;
  readonly #charges: Charges;
  readonly #refunds: Refunds;
  readonly #webhookSecret: string;
  readonly #now: () => number;

  constructor(settings: StripeSettings, context: GatewayContext, clocks: StripeClocks = {}) {
    const stripe = stripeClient(settings);
    const records = new ChargeRecords(context);
    const customers = new Customers(stripe, context.state);
    const time = clocks.realTime ?? realTime;
    this.#now = clocks.now ?? Date.now;
    this.#stripe = stripe;
    this.#records = records;
    this.#charges = new Charges({ stripe, records, customers, realTime: time, now: this.#now });
    this.#refunds = new Refunds(stripe, records, time);
    this.#webhookSecret = settings.webhookSecret;
  }

  describeToken(token: string, as: "card" | { readonly walletType: string }): TokenDetails | undefined {
    if (!TOKEN.test(token)) return undefined;
    return as === "card" ? { type: "card", card: UNKNOWN_CARD } : { type: "wallet", wallet: { type: as.walletType } };
  }

  charge(request: ChargeRequest) {
    return this.#charges.charge(request);
  }

  chargeOutcome(charge: Charge) {
    return this.#charges.chargeOutcome(charge);
  }

  cancelCharge(charge: Charge) {
    return this.#charges.cancelCharge(charge);
  }

  finishCharge(charge: Charge) {
    return this.#charges.finishCharge(charge);
  }

  refund(request: RefundRequest) {
    return this.#refunds.refund(request);
  }

  refundOutcome(request: RefundRequest) {
    return this.#refunds.refundOutcome(request);
  }

  inbound(headers: Readonly<Record<string, string | undefined>>, body: Uint8Array): InboundEvent | undefined {
    return inboundEvent(this.#stripe, this.#webhookSecret, headers, body, this.#now());
  }

  ledgerPage(since: number, after: string | undefined) {
    return ledgerPage(this.#stripe, this.#records, since, after);
  }
}
