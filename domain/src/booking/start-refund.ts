import type { Instant } from "../shared/decision.ts";
import type { RefundReason, RefundStarted } from "./events.ts";
import { automaticRefundId } from "./ids.ts";
import type { Payment } from "./payment.ts";
import { refundSettlesAt } from "./rules/refund-settlement.ts";

/** The intent to give back `amount` cents of a payment. */
export function startRefund(
  payment: Payment,
  refundId: string,
  amount: number,
  reason: RefundReason,
  at: Instant,
): RefundStarted {
  const { paymentId, currency, method } = payment;
  const settlesAt = refundSettlesAt(method, at);
  return { type: "RefundStarted", at, data: { refundId, paymentId, amount, currency, reason, settlesAt } };
}

/** A refund nobody asked for; at most one per payment, for it takes all that is left. */
export function automaticRefund(payment: Payment, amount: number, reason: RefundReason, at: Instant): RefundStarted {
  return startRefund(payment, automaticRefundId(payment.paymentId), amount, reason, at);
}
