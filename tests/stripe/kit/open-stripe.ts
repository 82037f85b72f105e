import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import type { ChargeRequest, GatewayContext, RefundRequest } from "@travel-booking/payment-gateway";
import { StripeGateway } from "@travel-booking/payment-gateway/stripe";
import { StripeDouble } from "../../engines/stripe/index.ts";

/** Stripe's double, and gateways that think its time is the real one. */
export class StripeUnderTest {
  readonly double: StripeDouble;
  /** What all gateways remember. */
  context: GatewayContext = { state: new InMemoryStateStore(), secretKey: "a secret of the service" };
  #aheadMs = 0;

  private constructor(double: StripeDouble) {
    this.double = double;
  }

  static async start(): Promise<StripeUnderTest> {
    return new StripeUnderTest(await StripeDouble.start());
  }

  /** Another instance of the service. */
  gateway(secretKey = this.double.secretKey): StripeGateway {
    const { url, webhookSecret } = this.double;
    const settings = { secretKey, webhookSecret, apiUrl: new URL(url) };
    return new StripeGateway(settings, this.context, { now: () => Date.now() + this.#aheadMs });
  }

  /** Time passes, here and there. */
  advance(ms: number): void {
    this.#aheadMs += ms;
    this.double.advance(ms);
  }

  /** What the adapter remembered is lost. */
  forget(): void {
    this.context = { ...this.context, state: new InMemoryStateStore() };
  }

  stop(): Promise<void> {
    this.double.release();
    return this.double.stop();
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function chargeOf(paymentId: string, more: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    paymentId,
    bookingId: "bkg_1",
    accountId: "acc_1",
    amount: 12_000,
    currency: "USD",
    method: "card",
    saveCard: false,
    token: "tok_visa",
    ...more,
  };
}

export function refundOf(refundId: string, more: Partial<RefundRequest> = {}): RefundRequest {
  return {
    refundId,
    attempt: 1,
    paymentId: "pay_1",
    amount: 5_000,
    currency: "USD",
    reason: "requested_by_customer",
    ...more,
  };
}
