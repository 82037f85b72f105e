import type { PointsRate } from "../loyalty/rules.ts";
import type { KindOfWord } from "../personal-data/kinds.ts";
import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { DisruptionKind, FlightChange } from "../shared/flight-change.ts";
import type { Metadata } from "../shared/metadata.ts";
import type { Cabin } from "../shared/values.ts";
import type { DocumentKind, ReadZone } from "../travel-document/reading.ts";
import type {
  ChargeDetails,
  Dispute,
  PaymentFailureCode,
  PaymentMethod,
  RefundReason,
  ReturnCause,
} from "./payment.ts";

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
    /** One per passenger, in their order; empty if none are chosen yet. */
    readonly seats: readonly string[];
    /** The fare of one passenger. */
    readonly fareAmount: number;
    /** One per seat. */
    readonly surcharges: readonly number[];
    readonly creditApplied: number;
    readonly totalAmount: number;
    readonly currency: string;
    readonly reference: string | null;
    readonly expiresAt: Instant | null;
    /**
     * The rate at which the booking earns points, even if rates change before it is paid. Absent in bookings made
     * before there were rates: `FORMER_POINTS_RATE`.
     */
    readonly pointsRate?: PointsRate;
    /** Absent: none. */
    readonly metadata?: Metadata;
    /** Of the flight when it gave the places (`FlightChange.revision`). Absent: 0, the flight was never disrupted. */
    readonly flightRevision?: number;
    /** The saved passengers that the party was made of. Absent: none, or a former release did not record them. */
    readonly passengerIds?: readonly string[];
  }
>;

/** What a booking had agreed to, or has instead. */
export interface Journey {
  readonly flightId: string;
  readonly departsAt: Instant;
  readonly durationDays: number;
  readonly cabin: Cabin;
  readonly seats: readonly string[];
}

/**
 * The booking follows its flight's disruption, once for each revision. `before` is what was agreed; `after` is null where
 * nothing takes its place. `reason` is the operator's, for everybody.
 */
export type BookingDisrupted = DomainEvent<
  "BookingDisrupted",
  Pick<FlightChange, "disruptionId" | "reason"> & {
    readonly kind: DisruptionKind;
    readonly caseId: string;
    readonly flightRevision: number;
    /** So that the client may choose, and money goes back whatever the time. */
    readonly significant: boolean;
    readonly before: Journey;
    readonly after: Journey | null;
    /** Until when the client may answer. Absent or null: there is nothing to answer. */
    readonly respondBy?: Instant | null;
    /** What happens then without an answer. Absent or null: nothing. */
    readonly onSilence?: "accept" | "refund" | null;
    /** Cents that go back at once, for features of seats that are lost. Absent: 0. */
    readonly refundAmount?: number;
    /** It has no place on its flight until it gets seats or another cabin. Absent after another ship: it has one. */
    readonly unplaced?: true;
  }
>;

/** Another disruption befell the booking while its case was open, which is about that from here on. */
export type CaseRevised = DomainEvent<"CaseRevised", BookingDisrupted["data"]>;

/**
 * The booking departs at another time, because its flight does. `expiresAt`: of one that is not paid, and when its transfer is
 * due.
 */
export type DepartureMoved = DomainEvent<
  "DepartureMoved",
  { readonly departsAt: Instant; readonly expiresAt?: Instant }
>;

/** What has become of a case. `refundAmount`: cents that go back because of it. */
export type CaseResolved = DomainEvent<
  "CaseResolved",
  {
    readonly caseId: string;
    readonly outcome: CaseOutcome | null;
    readonly refundAmount: number;
    /** What takes the place of the journey, if that is decided by the answer. */
    readonly after?: Journey;
    /** Present if the flight departs after all: its revision that says so. */
    readonly reinstatedBy?: number;
    /** When it does. Absent: it was never reinstated, or before release 1.8.0. */
    readonly departsAt?: Instant;
  }
>;

export const CASE_OUTCOMES = ["accepted", "rebooked", "refunded", "moved"] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

/**
 * A booking that had no place goes in another cabin of its flight, without seats there yet. `fareAmount`: from then on, of one
 * passenger; lower only in a lower cabin.
 */
export type CabinChanged = DomainEvent<
  "CabinChanged",
  { readonly changeId: string; readonly cabin: Cabin; readonly fareAmount: number } & PriceChange
>;

/**
 * The booking is on another flight, with the places that this has allocated under `moveId`. Those on the former flight go back. Its
 * price changes only by surcharges of seats that it has lost.
 */
export type BookingMoved = DomainEvent<
  "BookingMoved",
  {
    readonly caseId: string;
    readonly moveId: string;
    readonly flightId: string;
    readonly departsAt: Instant;
    /** One per passenger, in their order; empty if they have none yet. */
    readonly seats: readonly string[];
    /** Of that flight, as the booking knows it. */
    readonly flightRevision: number;
  } & PriceChange
>;

/** Closes the id of a booking that was never created. A late creation is refused, so its seats can be released. */
export type BookingAbandoned = DomainEvent<"BookingAbandoned", { readonly bookingId: string }>;

/** Credit that returns to the account's banked credit; the same `creditId` counts once. Amount in cents. */
export interface CreditGivenUp {
  readonly accountId: string;
  readonly creditId: string;
  readonly amount: number;
}

/** The changes of an unpaid booking's price; an absent field did not change. */
export interface PriceChange {
  /** Cents, one per seat. */
  readonly surcharges?: readonly number[];
  readonly totalAmount?: number;
  /** Credit in excess of the new price. */
  readonly creditGivenUp?: CreditGivenUp;
}

/**
 * A change of the booking's own fields; an absent field did not change. The price changes with `seats` only while
 * nothing is paid.
 */
export type BookingChanged = DomainEvent<
  "BookingChanged",
  {
    /** The seat reservation on the flight that this change applies; null: none, as where another ship has other seats. */
    readonly changeId: string | null;
    readonly reference?: string | null;
    readonly passengers?: readonly BookingPassenger[];
    readonly seats?: readonly string[];
    /** All pairs after the change. */
    readonly metadata?: Metadata;
    /** Cents, one per seat: what they are to cost once the payment under way has succeeded, which is for their former price. */
    readonly surchargesDue?: readonly number[];
  } & PriceChange
>;

/**
 * A seat change that was never applied is closed against a late decision, so that the flight can release the reserved
 * seats. Clients do not see it.
 */
export type SeatChangeClosed = DomainEvent<"SeatChangeClosed", { readonly changeId: string }>;

export type BookingConfirmed = DomainEvent<"BookingConfirmed", { readonly bookingId: string }>;

export type BookingCancelled = DomainEvent<
  "BookingCancelled",
  {
    readonly bookingId: string;
    readonly cause: "requested" | "expired" | "transfer_expired" | "flight_cancelled";
    /** The client's reason; null if none was given, or something else ended the booking. */
    readonly reason: string | null;
    /** Credit that returns to the account. */
    readonly creditGivenUp?: CreditGivenUp;
    /** Present if a payment was not refunded, so that it still earns points. */
    readonly keepsPoints?: true;
    /** The account that gets back the points it spent on the booking. Absent: nothing was spent, or it stays so. */
    readonly pointsBackTo?: string;
  }
>;

/** The booking's share of `pointsPending`, before and after. */
export interface PendingPoints {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

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

/** `details`: present if the gateway reported more about the payment method than was known. */
export type PaymentSucceeded = DomainEvent<
  "PaymentSucceeded",
  { readonly paymentId: string; readonly details?: ChargeDetails; readonly pending?: PendingPoints }
>;

export type PaymentFailed = DomainEvent<
  "PaymentFailed",
  {
    readonly paymentId: string;
    readonly failureCode: PaymentFailureCode;
    readonly details?: ChargeDetails;
    /** Present if its id was barred before any charge, so that the request may begin another payment. */
    readonly barred?: true;
  }
>;

/** The gateway does not know the token, so there never was a payment. Clients see neither this nor its start. */
export type PaymentWithdrawn = DomainEvent<"PaymentWithdrawn", { readonly paymentId: string }>;

/** The card holder disputes a charge, or the dispute has changed. Money and booking stay as they are. */
export type PaymentDisputed = DomainEvent<"PaymentDisputed", { readonly paymentId: string } & Dispute>;

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
    /** How often the entry was reversed before; absent: never. */
    readonly reversals?: number;
  }
>;

/**
 * An operator has taken an entry back, because it never came, or not like this. It counts no longer, and nothing of it is
 * due for return. A payment that it had paid fails in the same append, and the booking ends.
 */
export type TransferReversed = DomainEvent<
  "TransferReversed",
  {
    readonly entryId: string;
    readonly paymentId: string;
    /** The operator's words. */
    readonly reason: string;
    /** How often the entry has now been reversed. */
    readonly reversals: number;
    readonly pending?: PendingPoints;
    /** As of `RefundStarted`, if the payment fails. */
    readonly departed?: true;
  }
>;

/** Transferred money beyond the payment goes back to its sender, each cent once, and never as a refund. */
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

/** The intent to give money back. Counts in `amountRefunded` at once. `settlesAt` is null if a gateway confirms it. */
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
    /** Present once the booking has flown, in former releases from its time of departure on: earned points have to be reversed. */
    readonly departed?: true;
    /**
     * Only of former releases, which told the flight after the refund: on the first one since a confirmed booking stopped
     * being paid (`isPaid`). The oldest set this only where nothing was kept, which its name is of.
     */
    readonly keepsNothing?: true;
    /** The booking is confirmed and keeps less than half of its total, as its flight knows. */
    readonly keepsLessThanHalf?: true;
  }
>;

/** A refund that was never started is closed against a late start, so that the flight can forget it. Not public. */
export type RefundClosed = DomainEvent<"RefundClosed", { readonly refundId: string }>;

export type RefundSucceeded = DomainEvent<"RefundSucceeded", { readonly refundId: string; readonly paymentId: string }>;

/** The gateway will carry the refund out later. `checks`: how often it has said so. Clients do not see it. */
export type RefundAwaited = DomainEvent<
  "RefundAwaited",
  { readonly refundId: string; readonly paymentId: string; readonly checks: number }
>;

/** The gateway has refused this attempt, or the attempt failed later. An operator has to act. */
export type RefundFailed = DomainEvent<
  "RefundFailed",
  { readonly refundId: string; readonly paymentId: string; readonly attempt: number; readonly reason: string }
>;

/** An operator sends a failed refund again. */
export type RefundRetried = DomainEvent<
  "RefundRetried",
  { readonly refundId: string; readonly paymentId: string; readonly attempt: number }
>;

/** `amount` cents of a `booking_credit` reduce the total. The rest of the credit stays with the account. */
export type CreditApplied = DomainEvent<
  "CreditApplied",
  { readonly redemptionId: string; readonly amount: number; readonly totalAmount: number }
>;

/**
 * The booking moves to a higher cabin, without seats there yet. While nothing is paid, the surcharges of its old seats
 * no longer apply.
 */
export type CabinUpgraded = DomainEvent<
  "CabinUpgraded",
  {
    readonly redemptionId: string;
    readonly cabin: Cabin;
  } & PriceChange
>;

export type RewardAdded = DomainEvent<
  "RewardAdded",
  { readonly redemptionId: string; readonly reward: "extra_baggage" | "lounge_access" }
>;

/** A redemption that was never granted is closed against a late decision, so that its points can be freed. Not public. */
export type RedemptionClosed = DomainEvent<"RedemptionClosed", { readonly redemptionId: string }>;

/**
 * The flight has departed, so later refunds reverse earned points. Fixes what the booking earns (`amount`, cents paid
 * and not refunded), and what it had in `pointsPending`. Not public.
 */
export type BookingFlown = DomainEvent<
  "BookingFlown",
  { readonly accountId: string; readonly amount: number; readonly pending: number }
>;

export type RewardEvent = CreditApplied | CabinUpgraded | RewardAdded | RedemptionClosed | BookingFlown;

/** Accepted file formats, detected from the first bytes. */
export const DOCUMENT_CONTENT_TYPES = ["application/pdf", "image/png", "image/jpeg"] as const;
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];

/** The file is stored under `uploadId` and belongs to the booking from here on. */
export type DocumentUploaded = DomainEvent<
  "DocumentUploaded",
  {
    readonly documentId: string;
    readonly uploadId: string;
    readonly fileName: string;
    readonly contentType: DocumentContentType;
    readonly sizeBytes: number;
    /** SHA-256 of the content, in hexadecimal. */
    readonly sha256: string;
  }
>;

export type DocumentVerified = DomainEvent<
  "DocumentVerified",
  {
    readonly documentId: string;
    readonly kind: DocumentKind;
    /** The holder, as a 0-based index of the booking's passengers. Former events may have several. */
    readonly passengers: readonly number[];
    /** `SURNAME/GIVEN NAMES` of the machine-readable zone; absent if none was read. */
    readonly zoneName?: string;
    readonly read?: ReadZone;
    /** Earlier uploads of the same document. Its holder is recorded here, and no longer there. */
    readonly sameAs?: readonly string[];
  }
>;

/** `reason` is for people and contains no personal data. */
export type DocumentRejected = DomainEvent<
  "DocumentRejected",
  {
    readonly documentId: string;
    readonly kind: DocumentKind;
    readonly reason: string;
    readonly read?: ReadZone;
    /**
     * False: it is not valid for long enough after its departure has moved. Absent: by the reviewer. Former events of
     * operators lack it, too.
     */
    readonly byOperator?: boolean;
  }
>;

/**
 * The reviewer could not decide, so the document waits for an operator. `kind` and `zoneName` are present as far as
 * they were recognised. `read` is for the operator, and may be misread.
 */
export type DocumentLeftToOperator = DomainEvent<
  "DocumentLeftToOperator",
  {
    readonly documentId: string;
    readonly kind: DocumentKind;
    readonly zoneName?: string;
    readonly read?: ReadZone;
  }
>;

/** A document that the reviewer has decided on is read once more, for another departure. */
export type DocumentReopened = DomainEvent<"DocumentReopened", { readonly documentId: string }>;

/**
 * Closes a file without a recorded document against a late one, so that the file can be removed. Clients do not see it.
 */
export type UploadClosed = DomainEvent<"UploadClosed", { readonly uploadId: string }>;

export type DocumentEvent =
  | DocumentUploaded
  | DocumentVerified
  | DocumentRejected
  | DocumentLeftToOperator
  | DocumentReopened
  | UploadClosed;

/** An operator's words about the booking, which may be about a person. Neither clients nor receivers see them. */
export type NoteAdded = DomainEvent<"NoteAdded", { readonly text: string }>;

/** The booking's personal words are gone for good: their key is destroyed after this event. Clients do not see it. */
export type BookingErased = DomainEvent<"BookingErased", { readonly bookingId: string }>;

/**
 * One of the party is forgotten: all keys of before are destroyed after this event, and these are the booking's words from here on, in
 * the order of `BOOKING_WORDS`. Clients do not see it. `passenger`: a 0-based index of the booking's passengers.
 */
export type BookingPassengerErased = DomainEvent<
  "BookingPassengerErased",
  { readonly bookingId: string; readonly passenger: number; readonly words: readonly KindOfWord[] }
>;

/** The files of its documents and what was read in them are forgotten, in the same way. It takes no more of them. */
export type BookingDocumentsErased = DomainEvent<
  "BookingDocumentsErased",
  Omit<BookingPassengerErased["data"], "passenger">
>;

export type BookingEvent =
  | BookingCreated
  | BookingAbandoned
  | BookingChanged
  | SeatChangeClosed
  | BookingConfirmed
  | BookingCancelled
  | BookingDisrupted
  | CaseRevised
  | CaseResolved
  | BookingMoved
  | CabinChanged
  | NoteAdded
  | DepartureMoved
  | BookingErased
  | BookingPassengerErased
  | BookingDocumentsErased
  | PaymentStarted
  | PaymentSucceeded
  | PaymentFailed
  | PaymentWithdrawn
  | TransferReceived
  | TransferReversed
  | ReturnDue
  | ReturnSent
  | RefundStarted
  | RefundClosed
  | RefundSucceeded
  | RefundAwaited
  | RefundFailed
  | RefundRetried
  | PaymentDisputed
  | DocumentEvent
  | RewardEvent;
