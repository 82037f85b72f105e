import type { Dispute } from "../port.ts";
import { fromStripeAmount } from "./amounts.ts";
import type { Stripe } from "./client.ts";

export function disputeOf(paymentId: string, { id, amount, currency, reason, status }: Stripe.Dispute): Dispute {
  return {
    disputeId: id,
    paymentId,
    amount: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    reason,
    status,
  };
}

/** The id of what Stripe shows as an id or as the object itself. */
export function idOf(object: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof object === "string" ? object : object?.id;
}
