import type { Decision, Instant } from "../shared/decision.ts";
import type { Cabin, Metadata } from "../shared/values.ts";
import type { DocumentKind, DocumentReading } from "../travel-document/reading.ts";
import type { BookingEvent, BookingPassenger, DocumentContentType } from "./events.ts";
import type { PaymentMethod, RefundReason } from "./payment.ts";

/** Creates the booking after its flight has allocated the room and settled the price. Amounts in cents. */
export interface CreateBooking {
  readonly type: "CreateBooking";
  readonly bookingId: string;
  readonly accountId: string;
  readonly flightId: string;
  readonly cabin: Cabin;
  readonly departsAt: Instant;
  readonly passengers: readonly BookingPassenger[];
  /** One per passenger, in their order; or none yet. */
  readonly seats: readonly string[];
  /** For one passenger. */
  readonly fareAmount: number;
  /** One per seat. */
  readonly surcharges: readonly number[];
  /** Credit on offer; no more than the price is used, and the event says how much. */
  readonly creditApplied: number;
  readonly currency: string;
  readonly reference: string | null;
}

/** Closes the stream of a booking that never came into being. */
export interface AbandonBooking {
  readonly type: "AbandonBooking";
  readonly bookingId: string;
}

/** Seats the flight has reserved under `changeId` beside the present ones. */
export interface NewSeats {
  readonly changeId: string;
  readonly seats: readonly string[];
  /** Cents, one per seat. */
  readonly surcharges: readonly number[];
}

/** A client's change; what is absent stays as it is. */
export interface ChangeBooking {
  readonly type: "ChangeBooking";
  readonly accountId: string;
  readonly reference?: string | null;
  readonly passengers?: readonly BookingPassenger[];
  readonly seats?: NewSeats;
}

/** Seats the flight has chosen for the passengers and reserved under `changeId`: free of charge, and only where they have none. */
export interface AssignSeatsToBooking {
  readonly type: "AssignSeatsToBooking";
  readonly changeId: string;
  /** The cabin they are in. */
  readonly cabin: Cabin;
  readonly seats: readonly string[];
}

/**
 * Before the flight ends a seat change nobody followed up: whatever the booking has not taken over by now, no late
 * `ChangeBooking` may take over.
 */
export interface CloseSeatChange {
  readonly type: "CloseSeatChange";
  readonly changeId: string;
}

export interface CancelBooking {
  readonly type: "CancelBooking";
  readonly accountId: string;
  readonly reason: string | null;
}

/** Records the intent to charge a card or wallet; only then may the gateway be called. */
export interface StartPayment {
  readonly type: "StartPayment";
  readonly accountId: string;
  readonly paymentId: string;
  readonly method: Exclude<PaymentMethod, { type: "bank_transfer" }>;
  readonly metadata: Metadata;
}

export interface StartBankTransfer {
  readonly type: "StartBankTransfer";
  readonly accountId: string;
  readonly paymentId: string;
  /** What the sender puts on the transfer (ISO 11649). */
  readonly reference: string;
  readonly iban: string;
  readonly bic: string;
  readonly metadata: Metadata;
}

/** What became of a charge, as the gateway says. A failure code unknown here is recorded as `processing_error`. */
export interface RecordPaymentOutcome {
  readonly type: "RecordPaymentOutcome";
  readonly paymentId: string;
  readonly outcome: { readonly status: "succeeded" } | { readonly status: "failed"; readonly failureCode: string };
}

/** Money on the bank account. `entryId` is the bank's: the same entry counts once. */
export interface ReceiveTransfer {
  readonly type: "ReceiveTransfer";
  readonly entryId: string;
  readonly reference: string;
  /** In the smallest unit of `currency`. */
  readonly amount: number;
  readonly currency: string;
}

export interface MarkReturnSent {
  readonly type: "MarkReturnSent";
  readonly returnId: string;
}

export interface RefundPayment {
  readonly type: "RefundPayment";
  readonly accountId: string;
  readonly refundId: string;
  readonly paymentId: string;
  /** Cents; null: everything not refunded yet. */
  readonly amount: number | null;
  /** `requested_by_customer` unless told. */
  readonly reason?: RefundReason;
}

/** The gateway confirmed a refund, or the operator settled it. */
export interface SettleRefund {
  readonly type: "SettleRefund";
  readonly refundId: string;
}

/** A timer's command: records what the clock has brought about (expiry, due transfer, settled refunds), nothing else. */
export interface ExpireBooking {
  readonly type: "ExpireBooking";
}

export type BookingCommand =
  | CreateBooking
  | AbandonBooking
  | ChangeBooking
  | AssignSeatsToBooking
  | CloseSeatChange
  | CancelBooking
  | StartPayment
  | StartBankTransfer
  | RecordPaymentOutcome
  | ReceiveTransfer
  | MarkReturnSent
  | RefundPayment
  | SettleRefund
  | ExpireBooking
  | DocumentCommand
  | RewardCommand;

interface RedemptionReference {
  readonly accountId: string;
  readonly redemptionId: string;
}

/** Credit for a booking that is to be paid; no more than the price is used. */
export interface ApplyCredit extends RedemptionReference {
  readonly type: "ApplyCredit";
  /** Cents. */
  readonly amount: number;
}

/** Places in a higher cabin that the flight has reserved under the redemption's id. */
export interface UpgradeCabin extends RedemptionReference {
  readonly type: "UpgradeCabin";
  readonly cabin: Cabin;
}

export interface AddReward extends RedemptionReference {
  readonly type: "AddReward";
  readonly reward: "extra_baggage" | "lounge_access";
}

/** Settles for good that a reward is not given, unless it has been. */
export interface CloseRedemption {
  readonly type: "CloseRedemption";
  readonly redemptionId: string;
}

/** A timer's command, from departure on. */
export interface RecordDeparture {
  readonly type: "RecordDeparture";
}

export type RewardCommand = ApplyCredit | UpgradeCabin | AddReward | CloseRedemption | RecordDeparture;

/** Records a document whose file is stored whole. */
export interface UploadDocument {
  readonly type: "UploadDocument";
  readonly accountId: string;
  readonly documentId: string;
  readonly uploadId: string;
  /** As the client named it. */
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What the reviewer found in a document's file. */
export interface RecordDocumentReading {
  readonly type: "RecordDocumentReading";
  readonly documentId: string;
  readonly reading: DocumentReading;
}

/** An operator has looked. What is absent is concluded from what is known. */
export interface VerifyDocument {
  readonly type: "VerifyDocument";
  readonly documentId: string;
  readonly kind?: DocumentKind;
  /** 0-based place on the booking. */
  readonly passenger?: number;
}

export interface RejectDocument {
  readonly type: "RejectDocument";
  readonly documentId: string;
  readonly reason: string;
}

/** Before a file that no document was recorded for is removed: none may be recorded any more. */
export interface CloseUpload {
  readonly type: "CloseUpload";
  readonly uploadId: string;
}

type DocumentCommand = UploadDocument | RecordDocumentReading | VerifyDocument | RejectDocument | CloseUpload;

/** Why a booking refuses a command. One table at the HTTP edge gives each its status and message. */
export type BookingRejectionCode =
  /** No such booking, or another account's. */
  | "booking_not_found"
  | "booking_exists"
  | "booking_abandoned"
  | "booking_cancelled"
  | "flight_departed"
  | "passenger_count_mismatch"
  | "seat_count_mismatch"
  | "seat_price_fixed"
  /** This attempt to redeem was given up before the booking decided. */
  | "redemption_closed"
  | "payment_pending"
  | "booking_pending"
  /** Seats were chosen before any could be assigned. */
  | "seats_chosen"
  /** The seats are in a cabin the booking has left. */
  | "cabin_left"
  /** The reservation of the new seats was closed before the booking decided. */
  | "change_closed"
  | "already_paid"
  | "payment_in_progress"
  | "transfer_pending"
  | "transfer_too_late"
  | "payment_not_found"
  | "payment_not_succeeded"
  | "payment_fully_refunded"
  | "refund_too_large"
  | "refund_not_found"
  /** No bank transfer of this booking has that reference. */
  | "transfer_not_found"
  | "return_not_found"
  | "document_not_found"
  /** The booking has no passenger at this place. */
  | "passenger_not_found"
  | "too_many_documents"
  /** The file was given up before its document was recorded. */
  | "upload_closed"
  /** Not a whole number of cents, or less than one. */
  | "amount_invalid";

export type BookingDecision = Decision<BookingEvent, BookingRejectionCode>;
