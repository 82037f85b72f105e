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

/** The id of an object that Stripe sends as an id or in full. */
export function idOf(object: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof object === "string" ? object : object?.id;
}
