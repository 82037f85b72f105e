import type { Instant } from "../shared/decision.ts";
import type {
  BankTransferDetails,
  Metadata,
  PaymentFailureCode,
  PaymentMethod,
  RefundReason,
  ReturnCause,
} from "./events.ts";

export type PaymentStatus = "pending" | "succeeded" | "failed";

export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: RefundReason;
  readonly createdAt: Instant;
  /** From when on it counts as settled; null where a gateway confirms it. */
  readonly settlesAt: Instant | null;
  status: "pending" | "succeeded";
}

/** Money as it arrived on the bank account; `applied` of its cents were taken as payment. */
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
  readonly method: PaymentMethod;
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  status: PaymentStatus;
  /** Set exactly when failed. */
  failureCode: PaymentFailureCode | null;
  /** Oldest first. */
  refunds: Refund[];
  /** Of a bank transfer, oldest first; of a charge always empty. */
  entries: TransferEntry[];
}

/** Transferred money owed back, or sent back, to its sender. */
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

/** Cents refunded so far; refunds that have not settled yet count. */
export function amountRefunded(payment: Payment): number {
  return payment.refunds.reduce((sum, refund) => sum + refund.amount, 0);
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
