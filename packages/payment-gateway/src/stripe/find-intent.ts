import { read } from "./ask.ts";
import type { Stripe } from "./client.ts";

const MINUTE_S = 60;
/** Stripe's clock and ours may differ. */
const BEFORE_S = 5 * MINUTE_S;
/** A list has no filter for our ids, so only the time right after the first request is listed; search knows the rest. */
const AFTER_S = 15 * MINUTE_S;
const PAGE = 100;

/** What is fetched with an intent: the charge shows the card. */
export const WITH_CHARGE = { expand: ["latest_charge"] };

/**
 * The intent of a payment: listed from around the first request, for search lags by up to a minute, then searched.
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
  // Search may show it as it was.
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

/** Of several, which a forgotten key alone can bring about, the one that took money counts. */
function paidFirst(intents: readonly Stripe.PaymentIntent[]): Stripe.PaymentIntent | undefined {
  return intents.find(({ status }) => status === "succeeded") ?? intents[0];
}
