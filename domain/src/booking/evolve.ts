import { assertNever } from "../shared/assert-never.ts";
import type { Instant } from "../shared/decision.ts";
import { evolveDocuments } from "./documents/evolve-documents.ts";
import type { BookingAbandoned, BookingCancelled, BookingChanged, BookingCreated, BookingEvent } from "./events.ts";
import { evolvePayments } from "./evolve-payments.ts";
import { evolveRewards } from "./rewards/evolve-rewards.ts";
import {
  type BookingState,
  type CancelledBooking,
  type ConfirmedBooking,
  type ExistingBooking,
  isExistingBooking,
  type PendingBooking,
} from "./state.ts";

/** Folds one event in. Consumes `state`: it may be changed and returned. */
export function evolveBooking(state: BookingState, event: BookingEvent): BookingState {
  if (event.type === "BookingCreated") return created(event);
  if (event.type === "BookingAbandoned") return { status: "abandoned", bookingId: event.data.bookingId };
  if (!isExistingBooking(state)) throw new Error(`${event.type} in the history of a booking that was never created`);
  return evolveExisting(state, event);
}

function evolveExisting(
  booking: ExistingBooking,
  event: Exclude<BookingEvent, BookingCreated | BookingAbandoned>,
): ExistingBooking {
  switch (event.type) {
    case "BookingChanged":
      return changed(booking, event.data);
    case "SeatChangeClosed":
      booking.changesClosed.push(event.data.changeId);
      return booking;
    case "BookingConfirmed":
      return confirmed(booking, event.at);
    case "BookingCancelled":
      return cancelled(booking, event);
    case "PaymentStarted":
    case "PaymentSucceeded":
    case "PaymentFailed":
    case "TransferReceived":
    case "ReturnDue":
    case "ReturnSent":
    case "RefundStarted":
    case "RefundSucceeded":
      evolvePayments(booking, event);
      return booking;
    case "DocumentUploaded":
    case "DocumentVerified":
    case "DocumentRejected":
    case "DocumentLeftToOperator":
    case "UploadClosed":
      evolveDocuments(booking, event);
      return booking;
    case "CreditApplied":
    case "CabinUpgraded":
    case "RewardAdded":
    case "RedemptionClosed":
    case "BookingFlown":
      evolveRewards(booking, event);
      return booking;
    default:
      return assertNever(event);
  }
}

function created({ at, data }: BookingCreated): PendingBooking {
  return {
    status: "pending",
    bookingId: data.bookingId,
    accountId: data.accountId,
    flightId: data.flightId,
    cabin: data.cabin,
    departsAt: data.departsAt,
    createdAt: at,
    currency: data.currency,
    fareAmount: data.fareAmount,
    creditApplied: data.creditApplied,
    creditClaimed: data.creditApplied,
    passengers: data.passengers,
    seats: data.seats,
    surcharges: data.surcharges,
    totalAmount: data.totalAmount,
    reference: data.reference,
    payments: [],
    returns: [],
    changesApplied: [],
    changesClosed: [],
    documents: [],
    uploadsClosed: [],
    rewards: [],
    redemptionsClosed: [],
    pendingPoints: 0,
    flown: false,
    expiresAt: data.expiresAt,
  };
}

function changed(booking: ExistingBooking, data: BookingChanged["data"]): ExistingBooking {
  if (data.reference !== undefined) booking.reference = data.reference;
  if (data.passengers !== undefined) booking.passengers = data.passengers;
  if (data.seats !== undefined) booking.seats = data.seats;
  if (data.surcharges !== undefined) booking.surcharges = data.surcharges;
  if (data.totalAmount !== undefined) booking.totalAmount = data.totalAmount;
  if (data.creditGivenUp !== undefined) booking.creditApplied -= data.creditGivenUp.amount;
  if (data.changeId !== null) booking.changesApplied.push(data.changeId);
  return booking;
}

function confirmed(booking: ExistingBooking, at: Instant): ConfirmedBooking {
  if (booking.status !== "pending") throw new Error(`a booking that is ${booking.status} cannot become confirmed`);
  const { expiresAt: _, ...facts } = booking;
  return { ...facts, status: "confirmed", confirmedAt: at };
}

function cancelled(booking: ExistingBooking, { at, data }: BookingCancelled): CancelledBooking {
  const cancellation = { status: "cancelled", cancelledAt: at, cause: data.cause, reason: data.reason } as const;
  switch (booking.status) {
    case "pending": {
      const { expiresAt: _, ...facts } = booking;
      return { ...facts, ...cancellation };
    }
    case "confirmed": {
      const { confirmedAt: _, ...facts } = booking;
      return { ...facts, ...cancellation };
    }
    case "cancelled":
      throw new Error("a cancelled booking cannot be cancelled again");
    default:
      return assertNever(booking);
  }
}
