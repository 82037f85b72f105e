import type { Instant } from "../shared/decision.ts";
import type { Metadata } from "../shared/values.ts";

/** Why a charge or a transfer failed (docs/rules.md#failure-codes). */
export const PAYMENT_FAILURE_CODES = [
  "card_declined",
  "insufficient_funds",
  "expired_card",
  "incorrect_cvc",
  "incorrect_number",
  "do_not_honor",
  "card_not_supported",
  "currency_not_supported",
  "authentication_required",
  "processing_error",
  "issuer_not_available",
  "bank_transfer_expired",
  "superseded",
  "booking_cancelled",
] as const;
export type PaymentFailureCode = (typeof PAYMENT_FAILURE_CODES)[number];

export const REFUND_REASONS = [
  "requested_by_customer",
  "duplicate",
  "fraudulent",
  "booking_cancelled",
  "flight_cancelled",
  "other",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export interface CardDetails {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** What a gateway told of the means of payment after it was asked. */
export type ChargeDetails =
  | { readonly type: "card"; readonly card: CardDetails }
  | { readonly type: "wallet"; readonly wallet: { readonly type: string } };

export interface BankTransferDetails {
  readonly dueAt: Instant;
  readonly iban: string;
  readonly bic: string;
  readonly reference: string;
}

/** How a payment is made. Never a token: what could be charged again is not stored. */
export type PaymentMethod =
  | { readonly type: "card"; readonly card: CardDetails; readonly saveCard: boolean }
  | { readonly type: "wallet"; readonly wallet: { readonly type: string } }
  | { readonly type: "bank_transfer"; readonly bankTransfer: BankTransferDetails };

export type ReturnCause = "excess" | "late" | "expired" | "cancelled" | "superseded" | "wrong_currency";

export type PaymentStatus = "pending" | "succeeded" | "failed";

export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: RefundReason;
  readonly createdAt: Instant;
  /** When it counts as settled; null where a gateway confirms it. */
  readonly settlesAt: Instant | null;
  /** `pending` also where it failed: the customer has not got the money. */
  status: "pending" | "succeeded";
  /** 1 at first, and one more each time an operator has it sent again. */
  attempt: number;
  /** How often the gateway has said of this attempt that it is on its way. */
  checks: number;
  /** The last attempt that failed, and the gateway's reason. */
  failure: { readonly attempt: number; readonly reason: string } | null;
}

/** Money that the card holder has asked back through their bank. Decided there, and left to the operator here. */
export interface Dispute {
  /** The gateway's. */
  readonly disputeId: string;
  readonly amount: number;
  readonly currency: string;
  /** The gateway's codes. */
  readonly reason: string;
  readonly status: string;
}

/** Money as it arrived on the bank account; `applied` of its cents count towards the payment. */
export interface TransferEntry {
  readonly entryId: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly applied: number;
  readonly receivedAt: Instant;
}

/** One payment of a booking, as the public status set knows it. Amounts in cents. */
export interface Payment {
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  method: PaymentMethod;
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  status: PaymentStatus;
  /** Set exactly when failed. */
  failureCode: PaymentFailureCode | null;
  /** It failed because its id was barred: nobody charged it. */
  barred?: true;
  /** Oldest first. */
  refunds: Refund[];
  /** Of a bank transfer, oldest first; of a charge always empty. */
  entries: TransferEntry[];
  /** Of a charge, oldest first. */
  disputes: Dispute[];
}

/** Transferred money that goes back to its sender. */
export interface TransferReturn {
  readonly returnId: string;
  readonly entryId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly cause: ReturnCause;
  readonly createdAt: Instant;
  status: "due" | "sent";
}

/** Cents refunded so far, pending refunds included. */
export function amountRefunded(payment: Payment): number {
  return payment.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

/** Whether its present attempt has failed: an operator has it sent again, or settles it. */
export function hasFailed({ status, attempt, failure }: Refund): boolean {
  return status === "pending" && failure?.attempt === attempt;
}

/** Cents that can still be refunded: 0 unless the payment succeeded. */
export function refundableAmount(payment: Payment): number {
  return payment.status === "succeeded" ? payment.amount - amountRefunded(payment) : 0;
}

/** Cents of a bank transfer still to come. */
export function amountOutstanding(payment: Payment): number {
  return payment.amount - payment.entries.reduce((sum, entry) => sum + entry.applied, 0);
}

/** Where the money of a bank transfer goes and until when; undefined for a charge. */
export function bankTransferOf(payment: Payment): BankTransferDetails | undefined {
  return payment.method.type === "bank_transfer" ? payment.method.bankTransfer : undefined;
}
