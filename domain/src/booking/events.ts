import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { Cabin, Metadata } from "../shared/values.ts";
import type { DocumentKind } from "../travel-document/reading.ts";
import type { PaymentFailureCode, PaymentMethod, RefundReason, ReturnCause } from "./payment.ts";

export interface BookingPassenger {
  readonly name: string;
  readonly email: string;
}

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

/** What a booking's points in `pointsPending` were and are. */
export interface PendingPoints {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/** Credit that goes back in its account's bank; the same `creditId` counts once. Amount in cents. */
export interface CreditGivenUp {
  readonly accountId: string;
  readonly creditId: string;
  readonly amount: number;
}

/** `amount` cents of a `booking_credit` lower what is to pay; what is left of it is the account's. */
export type CreditApplied = DomainEvent<
  "CreditApplied",
  { readonly redemptionId: string; readonly amount: number; readonly totalAmount: number }
>;

/**
 * The booking is in a higher cabin and has no seats there yet. While unpaid, `surcharges` and `totalAmount` go with the
 * old seats; absent where they stay.
 */
export type CabinUpgraded = DomainEvent<
  "CabinUpgraded",
  {
    readonly redemptionId: string;
    readonly cabin: Cabin;
    readonly surcharges?: readonly number[];
    readonly totalAmount?: number;
    readonly creditGivenUp?: CreditGivenUp;
  }
>;

export type RewardAdded = DomainEvent<
  "RewardAdded",
  { readonly redemptionId: string; readonly reward: "extra_baggage" | "lounge_access" }
>;

/** A redemption nobody followed up is closed against a late decision, so that its points can be freed. Nobody sees it. */
export type RedemptionClosed = DomainEvent<"RedemptionClosed", { readonly redemptionId: string }>;

/**
 * The flight has departed: from here on refunds take points back that were earned. Fixes what the booking earns
 * (`amount`, cents paid and not given back) and what it had in `pointsPending`. Nobody sees it.
 */
export type BookingFlown = DomainEvent<
  "BookingFlown",
  { readonly accountId: string; readonly amount: number; readonly pending: number }
>;

export type RewardEvent = CreditApplied | CabinUpgraded | RewardAdded | RedemptionClosed | BookingFlown;

/** What a document may be, told from its first bytes. */
export const DOCUMENT_CONTENT_TYPES = ["application/pdf", "image/png", "image/jpeg"] as const;
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];

/** The file is stored whole, under `uploadId`; from here on it belongs to the booking. */
export type DocumentUploaded = DomainEvent<
  "DocumentUploaded",
  {
    readonly documentId: string;
    readonly uploadId: string;
    readonly fileName: string;
    readonly contentType: DocumentContentType;
    readonly sizeBytes: number;
    /** Of the content, in hexadecimal. */
    readonly sha256: string;
  }
>;

/** The document is what it should be. `passengers`: whose it is, by their 0-based places on the booking. */
export type DocumentVerified = DomainEvent<
  "DocumentVerified",
  { readonly documentId: string; readonly kind: DocumentKind; readonly passengers: readonly number[] }
>;

/** `reason` is for people, and names nobody. */
export type DocumentRejected = DomainEvent<
  "DocumentRejected",
  { readonly documentId: string; readonly kind: DocumentKind; readonly reason: string }
>;

/** The reviewer could not tell: the document waits for an operator. `kind` as far as it was recognised. */
export type DocumentLeftToOperator = DomainEvent<
  "DocumentLeftToOperator",
  { readonly documentId: string; readonly kind: DocumentKind }
>;

/**
 * A file whose document was never recorded is given up: closed against a late one, so that the file can be removed.
 * Changes nothing a client sees.
 */
export type UploadClosed = DomainEvent<"UploadClosed", { readonly uploadId: string }>;

export type DocumentEvent =
  | DocumentUploaded
  | DocumentVerified
  | DocumentRejected
  | DocumentLeftToOperator
  | UploadClosed;
