import { read } from "./ask.ts";
import type { Stripe } from "./client.ts";

const MINUTE_S = 60;
/** Tolerance, because Stripe's clock and ours may differ. */
const BEFORE_S = 5 * MINUTE_S;
/** A list can't filter by our ids, so only the time right after the first request is listed. Search has the rest. */
const AFTER_S = 15 * MINUTE_S;
const PAGE = 100;

/** Parts fetched together with an intent. The charge shows the card. */
export const WITH_CHARGE = { expand: ["latest_charge"] };

/**
 * The intent of a payment. Search lags by up to a minute, so a list around the first request is read before.
 * @param since real time of the first request; undefined: unknown.
 * @throws as `read`
 */
export async function findIntent(
  stripe: Stripe,
  paymentId: string,
  since: number | undefined,
): Promise<Stripe.PaymentIntent | undefined> {
  const found =
    (since !== undefined && (await listed(stripe, paymentId, since))) || (await searched(stripe, paymentId));
  // Search may return an outdated state.
  return found && read(() => stripe.paymentIntents.retrieve(found.id, WITH_CHARGE));
}

async function listed(stripe: Stripe, paymentId: string, since: number) {
  const at = Math.floor(since / 1000);
  const created = { gte: at - BEFORE_S, lte: at + AFTER_S };
  return read(async () => {
    const found: Stripe.PaymentIntent[] = [];
    for await (const intent of stripe.paymentIntents.list({ created, limit: PAGE })) {
      if (intent.metadata.payment_id === paymentId) found.push(intent);
    }
    return paidFirst(found);
  });
}

async function searched(stripe: Stripe, paymentId: string) {
  const query = `metadata["payment_id"]:"${paymentId}"`;
  return read(async () => paidFirst((await stripe.paymentIntents.search({ query, limit: PAGE })).data));
}

/** Several intents exist only after Stripe forgot a key. Then the one that took money counts. */
function paidFirst(intents: readonly Stripe.PaymentIntent[]): Stripe.PaymentIntent | undefined {
  return intents.find(({ status }) => status === "succeeded") ?? intents[0];
}
