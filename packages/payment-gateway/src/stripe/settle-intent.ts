import type { Charge, ChargeOutcome } from "../port.ts";
import { ask } from "./ask.ts";
import type { Ended } from "./charge-records.ts";
import type { Stripe } from "./client.ts";
import { detailsOf } from "./details.ts";
import { failureCodeOf } from "./failure-codes.ts";
import { WITH_CHARGE } from "./find-intent.ts";

type Method = Charge["method"];

/**
 * The ending of an intent. One that has not ended, and is not just ending, is cancelled, so that it charges no more.
 * @returns undefined while Stripe is still working on it.
 * @throws as `ask`; a cancellation may be repeated.
 */
export async function settleIntent(
  stripe: Stripe,
  method: Method,
  intent: Stripe.PaymentIntent,
): Promise<Ended | undefined> {
  if (intent.status === "processing") return undefined;
  if (intent.status === "succeeded") {
    const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
    const details = detailsOf(method, charge?.payment_method_details?.card);
    return { ending: { status: "succeeded", ...(details && { details }) }, intentId: intent.id };
  }
  const ending = declineOf(method, intent) ?? { status: "barred" };
  if (intent.status === "canceled") return { ending, intentId: intent.id };
  const cancelled = await ask(() => stripe.paymentIntents.cancel(intent.id));
  if ("answer" in cancelled) return { ending, intentId: intent.id };
  const present = await ask(() => stripe.paymentIntents.retrieve(intent.id, WITH_CHARGE));
  // The intent can't be cancelled: it succeeded meanwhile, or waits for Stripe.
  if (!("answer" in present) || !["succeeded", "canceled"].includes(present.answer.status)) return undefined;
  return settleIntent(stripe, method, present.answer);
}

function declineOf(
  method: Method,
  { status, last_payment_error: error }: Stripe.PaymentIntent,
): ChargeOutcome | undefined {
  if (status === "requires_action") return decline(method, "authentication_required", undefined);
  return error === null ? undefined : decline(method, error.decline_code ?? error.code ?? "", error.payment_method);
}

/** @param code the decline code; without one, the error's code */
export function decline(
  method: Method,
  code: string,
  paymentMethod: { readonly card?: Stripe.PaymentMethod.Card } | undefined,
): ChargeOutcome {
  const details = detailsOf(method, paymentMethod?.card);
  return { status: "failed", failureCode: failureCodeOf(code), ...(details && { details }) };
}
