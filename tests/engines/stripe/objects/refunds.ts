import { invalidRequest, noSuch } from "../failure.ts";
import type { Books, Charge, Metadata, Refund } from "./books.ts";
import { cardOf } from "./payment-methods.ts";
import type { Shape } from "./shape.ts";

const REASONS = new Set(["duplicate", "fraudulent", "requested_by_customer"]);

export function createRefund(books: Books, params: Shape): Shape {
  const intentId = String(params.payment_intent);
  const intent = books.intents.get(intentId);
  if (intent === undefined) throw noSuch("payment_intent", intentId, "payment_intent");
  const charge = intent.latest_charge === null ? undefined : books.charges.get(intent.latest_charge);
  if (charge?.status !== "succeeded") throw invalidRequest(`${intentId} has no successful charge to refund.`);
  if (params.reason !== undefined && !REASONS.has(String(params.reason))) {
    throw invalidRequest("Invalid reason", { param: "reason" });
  }
  const left = charge.amount - charge.amount_refunded;
  if (charge.disputed) throw invalidRequest("The charge is disputed.", { code: "charge_disputed" });
  if (left === 0) throw invalidRequest("The charge has been refunded.", { code: "charge_already_refunded" });
  const amount = params.amount === undefined ? left : Number(params.amount);
  if (!(amount >= 1 && amount <= left)) throw invalidRequest(`Of the charge ${left} are left.`, { param: "amount" });
  const method = books.paymentMethods.get(String(charge.payment_method));
  const waits = method !== undefined && cardOf(method).refunds === "pending";
  const refund: Refund = {
    id: books.newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: books.clock.seconds(),
    currency: charge.currency,
    metadata: (params.metadata as Metadata | undefined) ?? {},
    payment_intent: intentId,
    reason: params.reason ?? null,
    status: waits ? "pending" : "succeeded",
  };
  books.refunds.set(refund.id, refund);
  refundedBy(charge, amount);
  books.emit("refund.created", refund);
  books.emit("charge.refunded", charge);
  return refund;
}

/** A refund that waits arrives. */
export function completeRefund(books: Books, refund: Refund): void {
  refund.status = "succeeded";
  books.emit("refund.updated", refund);
}

/** A refund comes back, whether it waited or had succeeded: the money is the account's again. */
export function failRefund(books: Books, refund: Refund, reason: string): void {
  if (refund.status === "failed") return;
  refund.status = "failed";
  refund.failure_reason = reason;
  const charge = books.charges.get(refund.charge);
  if (charge !== undefined) refundedBy(charge, -refund.amount);
  books.emit("refund.failed", refund);
}

function refundedBy(charge: Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}
