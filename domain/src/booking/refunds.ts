import { accept, type Instant, reject } from "../shared/decision.ts";
import { DAY, hasDeparted } from "../shared/time.ts";
import type { BookingHandlers } from "./commands.ts";
import type { BookingEvent, RefundStarted } from "./events.ts";
import { automaticRefundId, refundIdOf } from "./ids.ts";
import type { PaymentMethod, RefundReason } from "./payment.ts";
import { confirmationIfFree, isValidAmount, priceWith } from "./rules.ts";
import {
  bookingOf,
  casesOf,
  type ExistingBooking,
  findPayment,
  findRefund,
  hasFailed,
  isExistingBooking,
  isPaid,
  type Payment,
  refundableAmount,
} from "./state.ts";

/** After this many refunds of a payment, the next one must take the whole rest. */
export const MAX_PARTIAL_REFUNDS = 100;

export const refundHandlers = {
  /** Starts a refund of all or part of the rest. The booking keeps its status. The same refund id again: a no-op. */
  RefundPayment(command, state, at) {
    const booking = bookingOf(state, command.accountId);
    const payment = booking && findPayment(booking, command.paymentId);
    if (booking === undefined || payment === undefined) return reject("payment_not_found");
    if (findRefund(booking, command.refundId) !== undefined) return accept();
    if (isRefundClosed(booking, command.refundId)) return reject("refund_closed");
    if (payment.status !== "succeeded") return reject("payment_not_succeeded", { status: payment.status });
    const left = refundableAmount(payment);
    if (left === 0) return reject("payment_fully_refunded");
    const amount = command.amount ?? left;
    if (!isValidAmount(amount)) return reject("amount_invalid");
    const step = command.amountSteps?.[payment.currency] ?? 1;
    const isCharge = payment.method.type !== "bank_transfer";
    if (isCharge && amount < left && amount % step !== 0) return reject("amount_invalid", { step });
    if (amount > left) return reject("refund_too_large", { amount, refundable: left });
    if (amount < left && payment.refunds.length >= MAX_PARTIAL_REFUNDS)
      return reject("too_many_refunds", { most: MAX_PARTIAL_REFUNDS, refundable: left });
    const keepsLessThanHalf = booking.status === "confirmed" && !isPaid(booking, amount);
    // From departure on it does not matter what is kept.
    if (command.onlyKeepingHalf === true && keepsLessThanHalf && !hasDeparted(booking.departsAt, at))
      return reject("keeps_less_than_half", { flightId: booking.flightId });
    const started = startRefund(payment, command.refundId, amount, command.reason ?? "requested_by_customer", at);
    return accept(keepsLessThanHalf ? { ...started, data: { ...started.data, keepsLessThanHalf } } : started);
  },

  /** Closes a refund that was not started against a late start. Started or closed before: a no-op. */
  CloseRefund({ refundId }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (findRefund(state, refundId) !== undefined || isRefundClosed(state, refundId)) return accept();
    return accept({ type: "RefundClosed", at, data: { refundId } });
  },

  /** Records that a refund has reached the customer; again: a no-op. */
  SettleRefund({ refundId }, state, at) {
    const refund = findRefund(state, refundId);
    if (refund === undefined) return reject("refund_not_found");
    if (refund.status === "succeeded") return accept();
    return accept({ type: "RefundSucceeded", at, data: { refundId, paymentId: refund.paymentId } });
  },

  /** Records that the gateway carries a refund out later; a no-op once its outcome is known. */
  AwaitRefund({ refundId }, state, at) {
    const refund = findRefund(state, refundId);
    if (refund === undefined) return reject("refund_not_found");
    if (refund.status === "succeeded" || hasFailed(refund)) return accept();
    const { paymentId, checks } = refund;
    return accept({ type: "RefundAwaited", at, data: { refundId, paymentId, checks: checks + 1 } });
  },

  /** Records a failed attempt, even one that had arrived before. The same attempt again, or a former one: a no-op. */
  FailRefund({ refundId, attempt, reason }, state, at) {
    const refund = findRefund(state, refundId);
    if (refund === undefined) return reject("refund_not_found");
    if (attempt !== refund.attempt || refund.failure?.attempt === attempt) return accept();
    return accept({ type: "RefundFailed", at, data: { refundId, paymentId: refund.paymentId, attempt, reason } });
  },

  /** Sends a failed refund again, as another attempt. */
  RetryRefund({ refundId }, state, at) {
    const refund = findRefund(state, refundId);
    if (refund === undefined) return reject("refund_not_found");
    if (!hasFailed(refund)) return reject("refund_not_failed");
    const { paymentId, attempt } = refund;
    return accept({ type: "RefundRetried", at, data: { refundId, paymentId, attempt: attempt + 1 } });
  },
} satisfies Partial<BookingHandlers>;

function isRefundClosed({ refundsClosed = [] }: ExistingBooking, refundId: string): boolean {
  return refundsClosed.includes(refundId);
}

/** The intent to refund `amount` cents of a payment. */
function startRefund(
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

/** A refund that the service starts itself. At most one per payment, because it takes everything that is left. */
export function automaticRefund(payment: Payment, amount: number, reason: RefundReason, at: Instant): RefundStarted {
  return startRefund(payment, automaticRefundId(payment.paymentId), amount, reason, at);
}

/** What is left to pay back of what a booking has lost. Of a confirmed one a single payment has paid all. */
export function refundOfLoss(
  { payments }: ExistingBooking,
  { amount, ownDigits, reason }: { readonly amount: number; readonly ownDigits: string; readonly reason: RefundReason },
  at: Instant,
): readonly RefundStarted[] {
  const payment = payments.find((each) => refundableAmount(each) > 0);
  const due = payment === undefined ? 0 : Math.min(amount, refundableAmount(payment));
  if (payment === undefined || due <= 0) return [];
  return [startRefund(payment, refundIdOf(payment.paymentId, ownDigits), due, reason, at)];
}

/**
 * No payment is under way any more that was for the price as it was before seats lost features: the price falls.
 * @param payment has succeeded: what it is too much goes back. Undefined: none has.
 */
export function fallenPriceEvents(
  booking: ExistingBooking,
  payment: Payment | undefined,
  at: Instant,
): readonly BookingEvent[] {
  const { bookingId, totalAmount, surchargesDue } = booking;
  const lostBy = casesOf(booking).findLast(({ kind }) => kind === "equipment_changed");
  if (surchargesDue === undefined || lostBy === undefined) return [];
  const price = priceWith(booking, surchargesDue, `${lostBy.disruptionId}/${bookingId}`);
  const changed = { type: "BookingChanged", at, data: { changeId: null, ...price } } as const;
  const left = price.totalAmount ?? totalAmount;
  if (payment === undefined) return [changed, ...confirmationIfFree(bookingId, left, at)];
  const refundId = refundIdOf(payment.paymentId, lostBy.disruptionId);
  return [changed, ...(left < totalAmount ? [startRefund(payment, refundId, totalAmount - left, "other", at)] : [])];
}

const SATURDAY = 6;
const SUNDAY = 0;

/** The same time of day `days` business days (Monday to Friday, UTC) later. */
export function addBusinessDays(from: Instant, days: number): Instant {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== SATURDAY && weekday !== SUNDAY) left -= 1;
  }
  return at;
}

/** When a refund settles by itself: T+3 business days for a bank transfer; null if a gateway confirms it. */
function refundSettlesAt(method: PaymentMethod, at: Instant): Instant | null {
  return method.type === "bank_transfer" ? addBusinessDays(at, 3) : null;
}
