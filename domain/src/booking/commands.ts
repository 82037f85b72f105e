import type { PointsRate } from "../loyalty/rules.ts";
import type { Decision, Instant } from "../shared/decision.ts";
import type { Cabin, Metadata } from "../shared/values.ts";
import type { ComparedReading, DocumentKind } from "../travel-document/reading.ts";
import type { BookingEvent, BookingPassenger, DocumentContentType } from "./events.ts";
import type { ChargeDetails, Dispute, PaymentMethod, RefundReason } from "./payment.ts";

/** Creates the booking after the flight has allocated seats and fixed the price. Amounts in cents. */
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
  /** Available credit; the event says how much of it the price used. */
  readonly creditApplied: number;
  readonly currency: string;
  /** At which the booking earns points, whatever the rate is when it is paid. */
  readonly pointsRate: PointsRate;
  readonly reference: string | null;
}

/** Closes the id of a booking that was never created. */
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

/** A client's change; absent fields stay as they are. */
export interface ChangeBooking {
  readonly type: "ChangeBooking";
  readonly accountId: string;
  readonly reference?: string | null;
  readonly passengers?: readonly BookingPassenger[];
  readonly seats?: NewSeats;
}

/** Seats the flight has assigned and reserved under `changeId`: free of charge, and only where the booking has none. */
export interface AssignSeatsToBooking {
  readonly type: "AssignSeatsToBooking";
  readonly changeId: string;
  /** The cabin they are in. */
  readonly cabin: Cabin;
  readonly seats: readonly string[];
}

/**
 * Closes a seat change before the flight drops its reservation: a late `ChangeBooking` can no longer apply it.
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

/** Records the intent to charge a card or wallet, before the gateway is called. */
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
  /** The creditor reference the sender writes on the transfer (ISO 11649). */
  readonly reference: string;
  readonly iban: string;
  readonly bic: string;
  readonly metadata: Metadata;
}

/** The gateway's result of a charge. An unknown failure code is recorded as `processing_error`. */
export interface RecordPaymentOutcome {
  readonly type: "RecordPaymentOutcome";
  readonly paymentId: string;
  readonly outcome: RecordedOutcome;
}

export type RecordedOutcome =
  | { readonly status: "succeeded"; readonly details?: ChargeDetails }
  | { readonly status: "failed"; readonly failureCode: string; readonly details?: ChargeDetails }
  /** Nobody charged it, and nobody can any more. */
  | { readonly status: "barred" }
  /** The gateway does not know the token. */
  | { readonly status: "rejected" };

/** What the gateway says of a dispute of this payment. */
export interface RecordDispute {
  readonly type: "RecordDispute";
  readonly paymentId: string;
  readonly dispute: Dispute;
}

/** Money on the bank account. `entryId` is the bank's; an entry counts once. */
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
  /** Default: `requested_by_customer`. */
  readonly reason?: RefundReason;
}

/** The gateway or an operator confirmed a refund. */
export interface SettleRefund {
  readonly type: "SettleRefund";
  readonly refundId: string;
}

/** The gateway has taken a refund and tells later what became of it. */
export interface AwaitRefund {
  readonly type: "AwaitRefund";
  readonly refundId: string;
}

/** The gateway has refused an attempt, or it failed later. */
export interface FailRefund {
  readonly type: "FailRefund";
  readonly refundId: string;
  readonly attempt: number;
  readonly reason: string;
}

/** An operator has a failed refund sent again. */
export interface RetryRefund {
  readonly type: "RetryRefund";
  readonly refundId: string;
}

/** Only records due events: expiry, overdue transfers, settled refunds. Sent by timers. */
export interface ExpireBooking {
  readonly type: "ExpireBooking";
}

/** An operator's. `again`: it was erased before, and what is there is older. */
export interface EraseBooking {
  readonly type: "EraseBooking";
  readonly again: boolean;
}

export type BookingCommand =
  | CreateBooking
  | AbandonBooking
  | ChangeBooking
  | AssignSeatsToBooking
  | CloseSeatChange
  | CancelBooking
  | EraseBooking
  | StartPayment
  | StartBankTransfer
  | RecordPaymentOutcome
  | ReceiveTransfer
  | MarkReturnSent
  | RefundPayment
  | SettleRefund
  | AwaitRefund
  | FailRefund
  | RetryRefund
  | RecordDispute
  | ExpireBooking
  | DocumentCommand
  | RewardCommand;

interface RedemptionReference {
  readonly accountId: string;
  readonly redemptionId: string;
}

/** Credit for an unpaid booking in the same currency; at most its price is used. */
export interface ApplyCredit extends RedemptionReference {
  readonly type: "ApplyCredit";
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
}

/** A higher cabin, in which the flight has reserved places under the redemption's id. */
export interface UpgradeCabin extends RedemptionReference {
  readonly type: "UpgradeCabin";
  readonly cabin: Cabin;
}

export interface AddReward extends RedemptionReference {
  readonly type: "AddReward";
  readonly reward: "extra_baggage" | "lounge_access";
}

/** Closes a redemption, unless its reward has been granted. */
export interface CloseRedemption {
  readonly type: "CloseRedemption";
  readonly redemptionId: string;
}

/** Sent by a timer from departure on. */
export interface RecordDeparture {
  readonly type: "RecordDeparture";
}

export type RewardCommand = ApplyCredit | UpgradeCabin | AddReward | CloseRedemption | RecordDeparture;

/** Records a document after its file is stored. */
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

/** The reviewer's result. */
export interface RecordDocumentReading {
  readonly type: "RecordDocumentReading";
  readonly documentId: string;
  readonly reading: ComparedReading;
}

/** An operator's decision. Absent fields follow from what is known. */
export interface VerifyDocument {
  readonly type: "VerifyDocument";
  readonly documentId: string;
  readonly kind?: DocumentKind;
  /** 0-based index of the booking's passengers. */
  readonly passenger?: number;
}

export interface RejectDocument {
  readonly type: "RejectDocument";
  readonly documentId: string;
  readonly reason: string;
}

/** Closes an upload without a document, before its file is removed: a late `UploadDocument` is rejected. */
export interface CloseUpload {
  readonly type: "CloseUpload";
  readonly uploadId: string;
}

type DocumentCommand = UploadDocument | RecordDocumentReading | VerifyDocument | RejectDocument | CloseUpload;

/** Why a booking rejects a command. The HTTP API maps each code to a status and a message. */
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
  /** The redemption was closed before the booking decided. */
  | "redemption_closed"
  /** The credit is in another currency than the booking. */
  | "credit_currency_mismatch"
  | "payment_pending"
  | "booking_pending"
  /** The journey is still to come. */
  | "booking_not_over"
  /** The booking has seats already. */
  | "seats_chosen"
  /** The booking has left the cabin of these seats. */
  | "cabin_left"
  /** The seat change was closed before the booking decided. */
  | "change_closed"
  | "already_paid"
  | "payment_in_progress"
  | "payment_given_up"
  | "transfer_pending"
  | "transfer_too_late"
  | "payment_not_found"
  | "payment_not_succeeded"
  | "payment_fully_refunded"
  | "refund_too_large"
  | "refund_not_found"
  | "refund_not_failed"
  /** No bank transfer of this booking has that reference. */
  | "transfer_not_found"
  /** The entry was received with another amount, currency or reference. */
  | "entry_differs"
  | "return_not_found"
  | "document_not_found"
  /** The booking has no passenger with this index. */
  | "passenger_not_found"
  | "too_many_documents"
  /** The upload was closed before its document was recorded. */
  | "upload_closed"
  /** Not a whole number of cents, or less than one. */
  | "amount_invalid";

export type BookingDecision = Decision<BookingEvent, BookingRejectionCode>;
