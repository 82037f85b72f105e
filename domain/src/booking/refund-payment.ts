import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { RefundPayment, SettleRefund } from "./commands.ts";
import type { RefundStarted, RefundSucceeded } from "./events.ts";
import { findPayment, findRefund } from "./lookups.ts";
import { refundableAmount } from "./payment.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { isValidAmount } from "./rules/amount.ts";
import { startRefund } from "./start-refund.ts";
import { type BookingState, bookingOf } from "./state.ts";

/** Starts a refund of all or part of what is left. It leaves the booking as it is. The same refund id again: a no-op. */
export function refundPayment(
  command: RefundPayment,
  state: BookingState,
  at: Instant,
): Decision<RefundStarted, BookingRejectionCode> {
  const booking = bookingOf(state, command.accountId);
  const payment = booking && findPayment(booking, command.paymentId);
  if (booking === undefined || payment === undefined) return reject("payment_not_found");
  if (findRefund(booking, command.refundId) !== undefined) return accept();
  if (payment.status !== "succeeded") return reject("payment_not_succeeded", { status: payment.status });
  const left = refundableAmount(payment);
  if (left === 0) return reject("payment_fully_refunded");
  const amount = command.amount ?? left;
  if (!isValidAmount(amount)) return reject("amount_invalid");
  if (amount > left) return reject("refund_too_large", { amount, refundable: left });
  return accept(startRefund(payment, command.refundId, amount, command.reason ?? "requested_by_customer", at));
}

/** Records that a refund has reached the customer; again: a no-op. */
export function settleRefund(
  { refundId }: SettleRefund,
  state: BookingState,
  at: Instant,
): Decision<RefundSucceeded, BookingRejectionCode> {
  const refund = findRefund(state, refundId);
  if (refund === undefined) return reject("refund_not_found");
  if (refund.status === "succeeded") return accept();
  return accept<RefundSucceeded>({ type: "RefundSucceeded", at, data: { refundId, paymentId: refund.paymentId } });
}
