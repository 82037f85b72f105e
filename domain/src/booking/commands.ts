import type { Cabin } from "../shared/cabin.ts";
import type { Instant } from "../shared/decision.ts";
import type { DocumentCommand } from "./documents/commands.ts";
import type { BookingPassenger, Metadata, PaymentMethod, RefundReason } from "./events.ts";
import type { RewardCommand } from "./rewards/commands.ts";

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
