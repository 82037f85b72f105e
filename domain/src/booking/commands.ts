import type { AutomaticChange } from "../flight/change-seats.ts";
import type { ReservedSeats } from "../flight/events.ts";
import type { CabinPlan } from "../shared/cabin-plan.ts";
import type { Command, Decision, Handlers, Instant } from "../shared/decision.ts";
import type { FlightChange, FlightTimes } from "../shared/flight-change.ts";
import type { ComparedReading, DocumentKind } from "../travel-document/reading.ts";
import type {
  BookingAbandoned,
  BookingCancelled,
  BookingChanged,
  BookingCreated,
  BookingEvent,
  BookingMoved,
  CabinChanged,
  CabinUpgraded,
  DocumentRejected,
  DocumentUploaded,
  Journey,
  NoteAdded,
  PaymentStarted,
  PriceChange,
  RedemptionClosed,
  RefundFailed,
  RefundStarted,
  ReturnSent,
  RewardAdded,
  SeatChangeClosed,
  TransferReceived,
  TransferReversed,
  UploadClosed,
} from "./events.ts";
import type { BankTransferDetails, ChargeDetails, Dispute, PaymentMethod } from "./payment.ts";
import type { BookingState } from "./state.ts";

/** A command of a client: the booking must belong to this account. */
interface OfAccount {
  readonly accountId: string;
  /** What an operator, who gives the command in the client's place, says of it. Recorded with what follows. */
  readonly note?: string;
}

/**
 * Creates the booking after the flight has allocated seats and fixed the price. `creditApplied` is the available
 * credit, and the event records how much of it the price used. An empty value of `metadata` is left out.
 */
export type CreateBooking = Command<
  "CreateBooking",
  Required<Omit<BookingCreated["data"], "totalAmount" | "expiresAt" | "metadata" | "flightRevision" | "passengerIds">> &
    Pick<BookingCreated["data"], "metadata" | "flightRevision" | "passengerIds">
>;

/** Closes the id of a booking that was never created. */
type AbandonBooking = Command<"AbandonBooking", BookingAbandoned["data"]>;

/**
 * A client's change; absent fields stay as they are. `seats` are reserved in addition to the present ones. `metadata` is
 * merged into the present one, and an empty value removes its key.
 */
export type ChangeBooking = Command<
  "ChangeBooking",
  OfAccount & Pick<BookingChanged["data"], "reference" | "passengers" | "metadata"> & { readonly seats?: ReservedSeats }
>;

/** Applies seats that the flight has assigned and reserved, free of charge, but only if the booking has none. */
export type AssignSeatsToBooking = Command<"AssignSeatsToBooking", AutomaticChange>;

/** Closes a seat change before the flight drops its reservation, so that a late `ChangeBooking` can't apply it. */
type CloseSeatChange = Command<"CloseSeatChange", SeatChangeClosed["data"]>;

type CancelBooking = Command<"CancelBooking", OfAccount & Pick<BookingCancelled["data"], "reason"> & Ending>;

/** The fields of every new payment. */
export type NewPayment = OfAccount & Pick<PaymentStarted["data"], "paymentId" | "metadata">;

/** Records the intent to charge a card or wallet, before the gateway is called. */
export type StartPayment = Command<
  "StartPayment",
  NewPayment & { readonly method: Exclude<PaymentMethod, { type: "bank_transfer" }> }
>;

/** `reference`: a creditor reference (ISO 11649), which the sender writes on the transfer. */
export type StartBankTransfer = Command<"StartBankTransfer", NewPayment & Omit<BankTransferDetails, "dueAt">>;

/** The gateway's result of a charge. An unknown failure code is recorded as `processing_error`. */
export type RecordPaymentOutcome = Command<
  "RecordPaymentOutcome",
  { readonly paymentId: string; readonly outcome: RecordedOutcome }
>;

export type RecordedOutcome =
  | { readonly status: "succeeded"; readonly details?: ChargeDetails }
  | { readonly status: "failed"; readonly failureCode: string; readonly details?: ChargeDetails }
  /** The id was never charged, and can't be any more. */
  | { readonly status: "barred" }
  /** The gateway does not know the token. */
  | { readonly status: "rejected" };

/** A dispute of this payment, as the gateway reports it. */
type RecordDispute = Command<"RecordDispute", { readonly paymentId: string; readonly dispute: Dispute }>;

/** Money on the bank account. `entryId` is the bank's id, and an entry counts once. */
export type ReceiveTransfer = Command<"ReceiveTransfer", Omit<TransferReceived["data"], "paymentId" | "applied">>;

/** What ends a booking and may lose something for good. `changes`: all of the flight, by its own stream; absent: it was not read. */
interface Ending {
  readonly changes?: readonly FlightChange[];
  /** That was read. */
  readonly flightId?: string;
}

/**
 * An operator takes an entry back. `cancelBooking`: also one that has paid the booking, which is cancelled with it, and nothing is
 * sent to anybody.
 */
export type ReverseTransfer = Command<
  "ReverseTransfer",
  Pick<TransferReversed["data"], "entryId" | "reason"> & Ending & { readonly cancelBooking: boolean }
>;

type MarkReturnSent = Command<"MarkReturnSent", ReturnSent["data"]>;

/**
 * `amount` null: everything not refunded yet. Default reason: `requested_by_customer`. `onlyKeepingHalf`: rejected where
 * less than half of a confirmed booking would be kept, until its flight has agreed to count its seats as unpaid.
 */
export type RefundPayment = Command<
  "RefundPayment",
  OfAccount &
    Pick<RefundStarted["data"], "refundId" | "paymentId"> &
    Partial<Pick<RefundStarted["data"], "reason">> & {
      readonly amount: number | null;
      /** By currency, where the gateway moves only multiples of so much. */
      readonly amountSteps?: Readonly<Record<string, number>> | undefined;
      readonly onlyKeepingHalf?: true;
    }
>;

type OfRefund = Pick<RefundStarted["data"], "refundId">;

/** Refuses the refund from here on, if it was not started. */
type CloseRefund = Command<"CloseRefund", OfRefund>;

/** The gateway or an operator confirmed a refund. */
type SettleRefund = Command<"SettleRefund", OfRefund>;

/** The gateway has accepted a refund, and reports its outcome later. */
type AwaitRefund = Command<"AwaitRefund", OfRefund>;

/** The gateway has refused an attempt, or the attempt failed later. */
type FailRefund = Command<"FailRefund", Omit<RefundFailed["data"], "paymentId">>;

/** An operator sends a failed refund again. */
type RetryRefund = Command<"RetryRefund", OfRefund>;

/**
 * Makes the booking follow its flight, as any other command does where the news is known. Sent by the sweep. A no-op for one that has
 * moved to another flight.
 */
type FollowFlight = Command<"FollowFlight", { readonly flightId: string; readonly changes: readonly FlightChange[] }>;

/** An operator's own words about a booking. */
type AddNote = Command<"AddNote", NoteAdded["data"]>;

/** What a client may answer to a disruption. */
export type CaseAnswer = "accept" | "rebook" | "refund";

/** A case as of this revision. */
interface OfCase extends OfAccount {
  readonly caseId: string;
  readonly revision: number;
}

/** A client's answer to its case. `flightId`: the one that it would move to. */
export type AnswerCase = Command<
  "AnswerCase",
  OfCase & ({ readonly answer: "accept" | "refund" } | { readonly answer: "rebook"; readonly flightId: string })
>;

/** The flight that the client may move to by accepting it: it had room when it was asked. Sent by the sweep. */
type OfferFlight = Command<"OfferFlight", Omit<OfCase, "note"> & FlightTimes & { readonly flightId: string }>;

/**
 * Takes the places that another flight has allocated under `moveId`. `answer`: by which the client has asked for it; absent: the
 * carrier moves it, and the client may still answer.
 */
export type MoveBooking = Command<
  "MoveBooking",
  OfCase &
    Omit<BookingMoved["data"], keyof PriceChange> &
    Pick<Journey, "durationDays" | "cabin"> & { readonly answer?: "accept" | "rebook" }
>;

/** Takes the places in another cabin that the flight has reserved under `changeId`. `fare`: there, cents for one passenger. */
type TakeCabin = Command<
  "TakeCabin",
  OfCase &
    Pick<CabinChanged["data"], "changeId" | "cabin"> & {
      readonly flightId: string;
      readonly fare: Pick<CabinPlan, "amount" | "currency">;
    }
>;

/** Only records due events: silence in a case, expiry, overdue transfers, settled refunds. Sent by timers. */
type ExpireBooking = Command<"ExpireBooking">;

/**
 * Sent by an operator. `again`: the booking was erased before, but an older state of it is stored. `passenger`: only this one of the
 * party, by a 0-based index; `name`: whom the operator means, since a party can have been put in another order. `documents`: only these.
 */
type EraseBooking = Command<
  "EraseBooking",
  {
    readonly again: boolean;
    readonly passenger?: number | undefined;
    readonly name?: string | undefined;
    readonly documents?: true | undefined;
  }
>;

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
  | ReverseTransfer
  | MarkReturnSent
  | RefundPayment
  | CloseRefund
  | SettleRefund
  | AwaitRefund
  | FailRefund
  | RetryRefund
  | RecordDispute
  | FollowFlight
  | AnswerCase
  | OfferFlight
  | MoveBooking
  | TakeCabin
  | AddNote
  | ExpireBooking
  | DocumentCommand
  | RewardCommand;

type OfRedemption = OfAccount & Pick<RewardAdded["data"], "redemptionId">;

/** Credit for an unpaid booking in the same currency; at most its price is used. `amount`: cents. */
type ApplyCredit = Command<"ApplyCredit", OfRedemption & { readonly amount: number; readonly currency: string }>;

/** Moves to a higher cabin, in which this flight has reserved places under the redemption's id. */
type UpgradeCabin = Command<
  "UpgradeCabin",
  OfRedemption & Pick<CabinUpgraded["data"], "cabin"> & { readonly flightId: string }
>;

type AddReward = Command<"AddReward", OfAccount & RewardAdded["data"]>;

/** Closes a redemption, unless its reward has been granted. */
type CloseRedemption = Command<"CloseRedemption", RedemptionClosed["data"]>;

/** Sent by a timer from departure on. */
type RecordDeparture = Command<"RecordDeparture">;

export type RewardCommand = ApplyCredit | UpgradeCabin | AddReward | CloseRedemption | RecordDeparture;

/** Records a document after its file is stored. `fileName` is the client's name for it. */
export type UploadDocument = Command<"UploadDocument", OfAccount & DocumentUploaded["data"]>;

/** The reviewer's result. */
export type RecordDocumentReading = Command<
  "RecordDocumentReading",
  { readonly documentId: string; readonly reading: ComparedReading }
>;

/** An operator's decision. Absent fields follow from known facts. `passenger`: 0-based index in the booking. */
type VerifyDocument = Command<
  "VerifyDocument",
  { readonly documentId: string; readonly kind?: DocumentKind; readonly passenger?: number }
>;

type RejectDocument = Command<"RejectDocument", Pick<DocumentRejected["data"], "documentId" | "reason">>;

/** Closes an upload without a document before its file is removed, so that a late `UploadDocument` is rejected. */
type CloseUpload = Command<"CloseUpload", UploadClosed["data"]>;

type DocumentCommand = UploadDocument | RecordDocumentReading | VerifyDocument | RejectDocument | CloseUpload;

/** Why a booking rejects a command. The HTTP API maps each code to a status and a message. */
export type BookingRejectionCode =
  /** No such booking, or another account's. */
  | "booking_not_found"
  | "booking_exists"
  | "booking_abandoned"
  | "booking_cancelled"
  | "flight_departed"
  /** It would lose something, and the flight's own stream has to be read first. */
  | "flight_unread"
  | "disruption_not_found"
  | "disruption_resolved"
  /** The case has another revision by now. */
  | "disruption_superseded"
  | "nothing_to_accept"
  /** The other flight has to allocate places first. */
  | "not_moved_yet"
  /** It is on that flight. */
  | "rebook_not_allowed"
  | "too_much_metadata"
  | "flight_cancelled"
  | "passenger_count_mismatch"
  | "seat_count_mismatch"
  | "seat_price_fixed"
  /** The redemption was closed before the booking decided. */
  | "redemption_closed"
  | "too_many_redemptions"
  /** The credit is in another currency than the booking. */
  | "credit_currency_mismatch"
  | "payment_pending"
  | "booking_pending"
  /** The journey is not over yet. */
  | "booking_not_over"
  /** The booking already has seats. */
  | "seats_chosen"
  /** The booking has left the cabin of these seats, or their flight. */
  | "cabin_left"
  /** The seat change was closed before the booking decided. */
  | "change_closed"
  | "too_many_seat_changes"
  | "too_many_changes"
  | "already_paid"
  | "payment_in_progress"
  | "payment_given_up"
  | "too_many_payments"
  | "transfer_pending"
  | "transfer_too_late"
  | "payment_not_found"
  | "payment_not_succeeded"
  | "payment_fully_refunded"
  | "refund_too_large"
  | "too_many_refunds"
  /** The flight has to be asked first. */
  | "keeps_less_than_half"
  /** The refund was closed before the booking started it. */
  | "refund_closed"
  | "refund_not_found"
  | "refund_not_failed"
  /** No bank transfer of this booking has that reference. */
  | "transfer_not_found"
  /** The entry was received with another amount, currency or reference. */
  | "entry_differs"
  | "entry_not_found"
  /** Money of the entry was sent back, or a refund of the payment that it paid was started. */
  | "entry_sent_back"
  /** The entry has paid the booking. */
  | "payment_succeeded"
  | "return_not_found"
  | "document_not_found"
  /** The booking has no passenger with this index. */
  | "passenger_not_found"
  /** The passenger with this index has another name. */
  | "passenger_differs"
  | "too_many_documents"
  /** The upload was closed before its document was recorded. */
  | "upload_closed"
  /** Not a whole number of cents, or less than one. */
  | "amount_invalid";

export type BookingDecision = Decision<BookingEvent, BookingRejectionCode>;

/** Decides each command, after all due events are recorded and the booking has followed its flight. */
export type BookingHandlers = Handlers<BookingCommand, [state: BookingState, at: Instant], BookingDecision>;
