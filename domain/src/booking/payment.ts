import type { Instant } from "../shared/decision.ts";

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

/** Details of the payment method, as reported by the gateway. */
export type ChargeDetails =
  | { readonly type: "card"; readonly card: CardDetails }
  | { readonly type: "wallet"; readonly wallet: { readonly type: string } };

export interface BankTransferDetails {
  readonly dueAt: Instant;
  readonly iban: string;
  readonly bic: string;
  readonly reference: string;
}

/** The method of a payment. Never a token, because nothing is stored that could be charged again. */
export type PaymentMethod =
  | { readonly type: "card"; readonly card: CardDetails; readonly saveCard: boolean }
  | { readonly type: "wallet"; readonly wallet: { readonly type: string } }
  | { readonly type: "bank_transfer"; readonly bankTransfer: BankTransferDetails };

export type ReturnCause = "excess" | "late" | "expired" | "cancelled" | "superseded" | "wrong_currency";

/** Money that the card holder demanded back through their bank. The bank decides; the operator acts on it here. */
export interface Dispute {
  /** The gateway's id. */
  readonly disputeId: string;
  readonly amount: number;
  readonly currency: string;
  /** The gateway's codes. */
  readonly reason: string;
  readonly status: string;
}
