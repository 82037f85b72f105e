import type { Cabin } from "../shared/cabin.ts";
import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { DocumentEvent } from "./documents/events.ts";
import type { CreditGivenUp, PendingPoints, RewardEvent } from "./rewards/events.ts";

export interface BookingPassenger {
  readonly name: string;
  readonly email: string;
}

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

/** Keys and values a client attached. Pairs, not an object: the keys are the client's, and must never shape a record. */
export type Metadata = readonly (readonly [key: string, value: string])[];

/**
 * The booking exists and has its room on the flight. `totalAmount` = fare × passengers + surcharges − credit, in
 * cents. `expiresAt` is null when nothing is left to pay; such a booking is confirmed in the same append.
 */
export type BookingCreated = DomainEvent<
  "BookingCreated",
  {
    readonly bookingId: string;
    readonly accountId: string;
    readonly flightId: string;
    readonly cabin: Cabin;
    readonly departsAt: Instant;
    readonly passengers: readonly BookingPassenger[];
    readonly seats: readonly string[];
    readonly fareAmount: number;
    readonly surcharges: readonly number[];
    readonly creditApplied: number;
    readonly totalAmount: number;
    readonly currency: string;
    readonly reference: string | null;
    readonly expiresAt: Instant | null;
  }
>;

/** Closes the stream of a booking that never came into being, so that a late creation is refused and its seats can go back. */
export type BookingAbandoned = DomainEvent<"BookingAbandoned", { readonly bookingId: string }>;

/**
 * What a client changed. A field that is absent did not change. `surcharges` (what is charged for the seats, one per
 * seat) and `totalAmount` move with `seats` while unpaid and are absent afterwards.
 */
export type BookingChanged = DomainEvent<
  "BookingChanged",
  {
    /** The reservation on the flight this change took over; null when the seats did not change. */
    readonly changeId: string | null;
    readonly reference?: string | null;
    readonly passengers?: readonly BookingPassenger[];
    readonly seats?: readonly string[];
    readonly surcharges?: readonly number[];
    readonly totalAmount?: number;
    /** Credit the booking has no use for any more. */
    readonly creditGivenUp?: CreditGivenUp;
  }
>;

/**
 * A reservation of other seats that nobody followed up is closed against a late decision, so that the flight can give
 * those seats up. Changes nothing a client sees.
 */
export type SeatChangeClosed = DomainEvent<"SeatChangeClosed", { readonly changeId: string }>;

export type BookingConfirmed = DomainEvent<"BookingConfirmed", { readonly bookingId: string }>;

export type BookingCancelled = DomainEvent<
  "BookingCancelled",
  {
    readonly bookingId: string;
    readonly cause: "requested" | "expired" | "transfer_expired";
    /** The client's words, kept for records. */
    readonly reason: string | null;
    /** Credit that is the account's again. */
    readonly creditGivenUp?: CreditGivenUp;
    /** Present where money was kept, and the points it earns with it. */
    readonly keepsPoints?: true;
  }
>;

/** The intent to take money, recorded before any gateway is called. Amount in cents. */
export type PaymentStarted = DomainEvent<
  "PaymentStarted",
  {
    readonly paymentId: string;
    readonly amount: number;
    readonly currency: string;
    readonly method: PaymentMethod;
    readonly metadata: Metadata;
  }
>;

export type PaymentSucceeded = DomainEvent<
  "PaymentSucceeded",
  { readonly paymentId: string; readonly pending?: PendingPoints }
>;

export type PaymentFailed = DomainEvent<
  "PaymentFailed",
  { readonly paymentId: string; readonly failureCode: PaymentFailureCode }
>;

/**
 * Money arrived on the bank account. `applied` of its cents count towards the payment; the rest follows as
 * `ReturnDue` in the same append.
 */
export type TransferReceived = DomainEvent<
  "TransferReceived",
  {
    readonly entryId: string;
    readonly paymentId: string;
    readonly reference: string;
    readonly amount: number;
    readonly currency: string;
    readonly applied: number;
  }
>;

export const RETURN_CAUSES = ["excess", "late", "expired", "cancelled", "superseded", "wrong_currency"] as const;
export type ReturnCause = (typeof RETURN_CAUSES)[number];

/** Transferred money that pays for nothing and is owed back to its sender: each cent once, never a refund. */
export type ReturnDue = DomainEvent<
  "ReturnDue",
  {
    readonly returnId: string;
    readonly entryId: string;
    readonly paymentId: string;
    readonly amount: number;
    readonly currency: string;
    readonly cause: ReturnCause;
  }
>;

export type ReturnSent = DomainEvent<"ReturnSent", { readonly returnId: string }>;

/** The intent to give money back. Counts in `amountRefunded` from here on. `settlesAt` is null where a gateway confirms. */
export type RefundStarted = DomainEvent<
  "RefundStarted",
  {
    readonly refundId: string;
    readonly paymentId: string;
    readonly amount: number;
    readonly currency: string;
    readonly reason: RefundReason;
    readonly settlesAt: Instant | null;
    readonly pending?: PendingPoints;
    /** Present from departure on: points that were earned are to be taken back. */
    readonly departed?: true;
  }
>;

export type RefundSucceeded = DomainEvent<"RefundSucceeded", { readonly refundId: string; readonly paymentId: string }>;

export type BookingEvent =
  | BookingCreated
  | BookingAbandoned
  | BookingChanged
  | SeatChangeClosed
  | BookingConfirmed
  | BookingCancelled
  | PaymentStarted
  | PaymentSucceeded
  | PaymentFailed
  | TransferReceived
  | ReturnDue
  | ReturnSent
  | RefundStarted
  | RefundSucceeded
  | DocumentEvent
  | RewardEvent;
