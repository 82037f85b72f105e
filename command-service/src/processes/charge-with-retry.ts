import {
  type ChargeOutcome,
  type ChargeRequest,
  GatewayTimeout,
  GatewayUnavailable,
  type PaymentGateway,
} from "@travel-booking/payment-gateway";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";

/** How long a client waits for an outcome the gateway does not give (docs/rules.md#unknown-outcome); real time. */
const GIVE_UP_AFTER_MS = 10_000;
const INITIAL_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;

/**
 * Charges, and where the answer is lost asks until it is known. The payment id makes the repetition safe: the
 * gateway charges an id once.
 * @returns undefined where the gateway has not told within ten seconds; the charge stays open.
 */
export async function chargeWithRetry(
  gateway: PaymentGateway,
  charge: ChargeRequest,
  time: RealTime = realTime,
): Promise<ChargeOutcome | undefined> {
  const giveUpAt = time.now() + GIVE_UP_AFTER_MS;
  let sent = false;
  for (let wait = INITIAL_BACKOFF_MS; ; wait = Math.min(2 * wait, MAX_BACKOFF_MS)) {
    try {
      const known = sent ? await gateway.chargeOutcome(charge.paymentId) : undefined;
      if (known !== undefined) return known;
      sent = true;
      return await gateway.charge(charge);
    } catch (error) {
      if (!(error instanceof GatewayTimeout || error instanceof GatewayUnavailable)) throw error;
      if (time.now() + wait > giveUpAt) return undefined;
    }
    await time.pause(wait);
  }
}
