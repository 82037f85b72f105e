import type { ChargeOutcome } from "../port.ts";

/** A refund the gateway has made; cents. */
export interface LedgerRefund {
  readonly refundId: string;
  readonly amount: number;
}

/** Money asked for under a payment id: taken, or refused. */
export interface ChargedEntry {
  readonly kind: "charged";
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  readonly outcome: ChargeOutcome;
  /** Oldest first. */
  readonly refunds: readonly LedgerRefund[];
}

/** An id that was closed before it was ever charged, and never will be. */
export interface BarredEntry {
  readonly kind: "barred";
  readonly paymentId: string;
}

/** What the gateway knows of one payment id, for ever. */
export type LedgerEntry = ChargedEntry | BarredEntry;

/** Cents given back so far. */
export function refundedAmount(entry: ChargedEntry): number {
  return entry.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}
