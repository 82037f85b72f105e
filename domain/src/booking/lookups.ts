import { bankTransferOf, type Payment, type Refund } from "./payment.ts";
import { type BookingState, isExistingBooking } from "./state.ts";

export function paymentsOf(state: BookingState): readonly Payment[] {
  return isExistingBooking(state) ? state.payments : [];
}

export function findPayment(state: BookingState, paymentId: string): Payment | undefined {
  return paymentsOf(state).find((payment) => payment.paymentId === paymentId);
}

/**
 * A payment known to be there, as after the command that made it.
 * @throws Error it is not.
 */
export function paymentOf(state: BookingState, paymentId: string): Payment {
  const payment = findPayment(state, paymentId);
  if (payment === undefined) throw new Error(`the booking has no payment ${paymentId}`);
  return payment;
}

export function refundsOf(state: BookingState): readonly Refund[] {
  return paymentsOf(state).flatMap((payment) => payment.refunds);
}

export function findRefund(state: BookingState, refundId: string): Refund | undefined {
  return refundsOf(state).find((refund) => refund.refundId === refundId);
}

/**
 * A refund known to be there, as after the command that made it.
 * @throws Error it is not.
 */
export function refundOf(state: BookingState, refundId: string): Refund {
  const refund = findRefund(state, refundId);
  if (refund === undefined) throw new Error(`the booking has no refund ${refundId}`);
  return refund;
}

/** Charges of a card or wallet whose outcome is not known yet. */
export function pendingCharges(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) === undefined);
}

/** Bank transfers still waiting for money; at most one at a time. */
export function pendingTransfers(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) !== undefined);
}
