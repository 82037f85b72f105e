import { assertNever, type Instant } from "../shared/decision.ts";
import type { BookingCancelled, BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { bankTransferOf, type Refund } from "./payment.ts";
import { isPastExpiry, releasedCredit } from "./rules.ts";
import {
  type BookingState,
  type ExistingBooking,
  type PendingBooking,
  pendingCharges,
  pendingTransfers,
  refundsOf,
} from "./state.ts";
import { failTransfer } from "./transfers.ts";

/**
 * What the clock has brought about by `at` and nobody has recorded yet: a transfer past its due time, a booking past
 * its expiry, refunds that have settled. Holds whether or not a timer has fired.
 */
export function dueEvents(state: BookingState, at: Instant): readonly BookingEvent[] {
  switch (state.status) {
    case "none":
    case "abandoned":
      return [];
    case "pending":
      return dueEventsOfPending(state, at);
    case "confirmed":
    case "cancelled":
      return dueRefundEvents(state, at);
    default:
      return assertNever(state);
  }
}

/** What one command records of settled refunds at most, so that its events fit into one append. */
const MAX_SETTLED_PER_COMMAND = 256;

/**
 * What a command records of what has lapsed: all of it, but for refunds in excess, which the next commands record. No
 * decision rests on whether a refund has settled.
 */
export function dueEventsToRecord(state: BookingState, at: Instant): readonly BookingEvent[] {
  const lapsed = dueEvents(state, at);
  return state.status === "pending" ? lapsed : lapsed.slice(0, MAX_SETTLED_PER_COMMAND);
}

/** The booking as it stands at `at`, with what has lapsed by then; `state` itself stays as it is. */
export function bookingAt(state: BookingState, at: Instant): BookingState {
  return applyEvents(state, dueEvents(state, at));
}

/** The state after further events, on a copy: deciding must leave the state it was given alone. */
export function applyEvents(state: BookingState, events: readonly BookingEvent[]): BookingState {
  return events.length === 0 ? state : events.reduce(evolveBooking, structuredClone(state));
}

/** The next moment at which something lapses; null where nothing will, as far as is known now. */
export function nextEventDueAt(state: BookingState): Instant | null {
  switch (state.status) {
    case "none":
    case "abandoned":
      return null;
    case "pending":
      return earliest([pendingCharges(state).length === 0 ? state.expiresAt : null, ...transferDueTimes(state)]);
    case "confirmed":
    case "cancelled":
      return earliest(pendingRefunds(state).map(({ settlesAt }) => settlesAt));
    default:
      return assertNever(state);
  }
}

/** The end of a booking that ran out of time. Whoever chose to transfer is told that the transfer was what ran out. */
export function expiredEvent(booking: PendingBooking, at: Instant): BookingCancelled {
  const { bookingId, payments } = booking;
  const cause = payments.some((payment) => bankTransferOf(payment) !== undefined) ? "transfer_expired" : "expired";
  return { type: "BookingCancelled", at, data: { bookingId, cause, reason: null, ...releasedCredit(booking) } };
}

function dueEventsOfPending(booking: PendingBooking, at: Instant): readonly BookingEvent[] {
  const events = pendingTransfers(booking)
    .filter((payment) => (bankTransferOf(payment)?.dueAt ?? at) <= at)
    .flatMap((payment): BookingEvent[] => failTransfer(booking, payment, "bank_transfer_expired", at));
  // A charge under way may have taken money: the booking waits for its outcome.
  if (isPastExpiry(booking, at) && pendingCharges(booking).length === 0) events.push(expiredEvent(booking, at));
  return events;
}

function dueRefundEvents(booking: ExistingBooking, at: Instant): readonly BookingEvent[] {
  return pendingRefunds(booking)
    .filter(({ settlesAt }) => settlesAt !== null && settlesAt <= at)
    .map(({ refundId, paymentId }) => ({ type: "RefundSucceeded", at, data: { refundId, paymentId } }));
}

function pendingRefunds(booking: ExistingBooking): readonly Refund[] {
  return refundsOf(booking).filter(({ status }) => status === "pending");
}

function transferDueTimes(booking: ExistingBooking): readonly (Instant | null)[] {
  return pendingTransfers(booking).map((payment) => bankTransferOf(payment)?.dueAt ?? null);
}

function earliest(instants: readonly (Instant | null)[]): Instant | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
