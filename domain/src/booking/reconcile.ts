import type { Dispute } from "./payment.ts";
import { type BookingState, bankTransferOf, findPayment, type Payment } from "./state.ts";

/** The kinds of differences between two ledgers (docs/rules.md#reconciliation). */
export type DifferenceKind =
  | "charge_unknown_here"
  | "charge_failed_here"
  | "charge_duplicated"
  | "charge_missing_there"
  | "amount_differs"
  | "refund_unknown_here"
  | "refund_amount_differs"
  | "refund_missing_there"
  | "dispute";

/** A difference. Amounts in cents; null if that side has nothing. */
export interface Difference {
  readonly paymentId: string | null;
  readonly gatewayId: string | null;
  readonly difference: DifferenceKind;
  readonly ours: object | null;
  readonly theirs: object | null;
}

/** A charge that took money, from the gateway's ledger. */
export interface ChargeInLedger {
  readonly gatewayId: string;
  readonly paymentId: string | null;
  /** True if another charge is the payment's. */
  readonly isSecond: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly refunds: readonly {
    readonly gatewayId: string;
    readonly refundId: string | null;
    readonly amount: number;
    readonly status: string;
  }[];
  readonly disputes: readonly Dispute[];
}

/**
 * The differences between the gateway's ledger and the payment's booking. Unfinished charges and refunds are no
 * difference, nor is a second charge that was refunded.
 */
export function differencesOf(booking: BookingState, theirs: ChargeInLedger): readonly Difference[] {
  const { gatewayId, paymentId, amount, currency } = theirs;
  const taken = { amount, currency };
  const payment = paymentId === null ? undefined : findPayment(booking, paymentId);
  if (payment === undefined) {
    return [{ paymentId, gatewayId, difference: "charge_unknown_here", ours: null, theirs: taken }];
  }
  const differences: Difference[] = [];
  const ours = { amount: payment.amount, currency: payment.currency, status: payment.status };
  if (theirs.isSecond) {
    const kept = theirs.refunds.reduce((left, refund) => left - refund.amount, amount);
    return kept > 0 ? [{ paymentId, gatewayId, difference: "charge_duplicated", ours, theirs: taken }] : [];
  }
  const add = (difference: DifferenceKind, ourSide: object | null, theirSide: object, id = gatewayId) =>
    void differences.push({ paymentId, gatewayId: id, difference, ours: ourSide, theirs: theirSide });
  if (payment.status === "failed") add("charge_failed_here", ours, taken);
  if (payment.amount !== amount || payment.currency !== currency) add("amount_differs", ours, taken);
  for (const refund of theirs.refunds) {
    const known = payment.refunds.find(({ refundId }) => refundId === refund.refundId);
    const sent = { refundId: refund.refundId, amount: refund.amount, status: refund.status };
    if (known === undefined) add("refund_unknown_here", null, sent, refund.gatewayId);
    else if (known.amount !== refund.amount) {
      add("refund_amount_differs", { refundId: known.refundId, amount: known.amount }, sent, refund.gatewayId);
    }
  }
  for (const dispute of theirs.disputes) {
    const known = payment.disputes.find(({ disputeId }) => disputeId === dispute.disputeId);
    if (known?.status !== dispute.status) add("dispute", known ?? null, dispute, dispute.disputeId);
  }
  return differences;
}

/** Refunds that arrived here but are missing from the charge there, except those that an operator settled. */
export function refundsMissingIn({ refunds }: Payment, theirs: ChargeInLedger): readonly string[] {
  if (theirs.isSecond) return [];
  return refunds
    .filter(({ status, attempt, failure }) => status === "succeeded" && failure?.attempt !== attempt)
    .map(({ refundId }) => refundId)
    .filter((refundId) => theirs.refunds.every((refund) => refund.refundId !== refundId));
}

/** The payments of a booking that took money through a gateway. */
export function chargesTaken(booking: BookingState): readonly Payment[] {
  return "payments" in booking
    ? booking.payments.filter((payment) => payment.status === "succeeded" && bankTransferOf(payment) === undefined)
    : [];
}
