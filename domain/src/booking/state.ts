import type { Cabin } from "../shared/cabin.ts";
import type { Instant } from "../shared/decision.ts";
import type { TravelDocument } from "./documents/travel-document.ts";
import type { BookingCancelled, BookingPassenger } from "./events.ts";
import type { Payment, TransferReturn } from "./payment.ts";
import type { GrantedReward } from "./rewards/granted-reward.ts";

/** What every booking has, whatever its status. Amounts in cents. Plain JSON: it is also what read models keep. */
export interface BookingFields {
  readonly bookingId: string;
  readonly accountId: string;
  readonly flightId: string;
  cabin: Cabin;
  readonly departsAt: Instant;
  readonly createdAt: Instant;
  readonly currency: string;
  /** For one passenger, frozen at creation. */
  readonly fareAmount: number;
  /** Cents. */
  creditApplied: number;
  /** Cents of it that were claimed from the bank when the booking was created. */
  readonly creditClaimed: number;
  passengers: readonly BookingPassenger[];
  /** One per passenger, in their order; empty until chosen. */
  seats: readonly string[];
  /** What is charged for seats: follows `seats` while pending, frozen afterwards. */
  surcharges: readonly number[];
  totalAmount: number;
  reference: string | null;
  /** Oldest first. */
  payments: Payment[];
  /** Oldest first. */
  returns: TransferReturn[];
  /** Seat changes this booking took over, oldest first. */
  changesApplied: string[];
  /** Seat changes closed against a late decision. */
  changesClosed: string[];
  /** Oldest first. */
  documents: TravelDocument[];
  /** Files given up before their document was recorded. */
  uploadsClosed: string[];
  /** What points were spent on, oldest first. */
  rewards: GrantedReward[];
  /** Redemptions closed against a late decision. */
  redemptionsClosed: string[];
  /** Points its account has to wait for until departure. */
  pendingPoints: number;
  /** Whether its departure is on record. */
  flown: boolean;
}

export interface NoBooking {
  readonly status: "none";
}

/** Closed before anything was created: nothing can be created here any more. */
export interface AbandonedBooking {
  readonly status: "abandoned";
  readonly bookingId: string;
}

export interface PendingBooking extends BookingFields {
  readonly status: "pending";
  /** Null only between a creation and a confirmation in the same append. A bank transfer moves it to its due time. */
  expiresAt: Instant | null;
}

export interface ConfirmedBooking extends BookingFields {
  readonly status: "confirmed";
  readonly confirmedAt: Instant;
}

export interface CancelledBooking extends BookingFields {
  readonly status: "cancelled";
  readonly cancelledAt: Instant;
  readonly cause: BookingCancelled["data"]["cause"];
  readonly reason: string | null;
}

export type ExistingBooking = PendingBooking | ConfirmedBooking | CancelledBooking;

export type BookingState = NoBooking | AbandonedBooking | ExistingBooking;

/** The statuses the public knows. */
export type BookingStatus = ExistingBooking["status"];

export function isExistingBooking(state: BookingState): state is ExistingBooking {
  return state.status !== "none" && state.status !== "abandoned";
}

/** The booking, if it exists and belongs to this account. */
export function bookingOf(state: BookingState, accountId: string): ExistingBooking | undefined {
  return isExistingBooking(state) && state.accountId === accountId ? state : undefined;
}
