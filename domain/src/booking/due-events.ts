import { assertNever, type Instant } from "../shared/decision.ts";
import { silenceDueAt, silenceEvents } from "./answer-case.ts";
import type { BookingCancelled, BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { failTransfer } from "./fail-transfer.ts";
import { fallenPriceEvents } from "./refunds.ts";
import { withPointChanges } from "./rewards.ts";
import { isPastExpiry, releasedCredit } from "./rules.ts";
import {
  type BookingState,
  bankTransferOf,
  type ExistingBooking,
  hasPendingPayment,
  type PendingBooking,
  pendingCharges,
  pendingTransfers,
  type Refund,
  refundsOf,
} from "./state.ts";

/**
 * Events that time alone, or the end of a payment, has caused by `at` and that are not recorded yet: overdue transfers, the
 * booking's expiry, a price that has waited to fall, what follows from silence in a case, settled refunds. They do not depend on a timer.
 */
export function dueEvents(state: BookingState, at: Instant): readonly BookingEvent[] {
  switch (state.status) {
    case "none":
    case "abandoned":
      return [];
    case "pending":
      return dueEventsOfPending(state, at);
    case "confirmed":
      return [...withPointChanges(state, silenceEvents(state, at)), ...dueRefundEvents(state, at)];
    case "cancelled":
      return dueRefundEvents(state, at);
    default:
      return assertNever(state);
  }
}

/** Lets the events of one command fit into one append. */
const MAX_SETTLED_PER_COMMAND = 256;

/**
 * The due events that one command records. Excess refunds are left to later commands, because no decision depends on
 * whether a refund has settled.
 */
export function dueEventsToRecord(state: BookingState, at: Instant): readonly BookingEvent[] {
  const lapsed = dueEvents(state, at);
  return state.status === "pending" ? lapsed : lapsed.slice(0, MAX_SETTLED_PER_COMMAND);
}

/** The booking at `at`, due events included; `state` itself is not changed. */
export function bookingAt(state: BookingState, at: Instant): BookingState {
  return applyEvents(state, dueEvents(state, at));
}

/** The state after further events, on a copy: deciding must not change the state. */
export function applyEvents(state: BookingState, events: readonly BookingEvent[]): BookingState {
  return events.length === 0 ? state : events.reduce(evolveBooking, structuredClone(state));
}

/** When the next event is due; null if none is foreseen. */
export function nextEventDueAt(state: BookingState): Instant | null {
  switch (state.status) {
    case "none":
    case "abandoned":
      return null;
    case "pending":
      return earliest([pendingCharges(state).length === 0 ? state.expiresAt : null, ...transferDueTimes(state)]);
    case "confirmed":
      return earliest([silenceDueAt(state), ...pendingRefunds(state).map(({ settlesAt }) => settlesAt)]);
    case "cancelled":
      return earliest(pendingRefunds(state).map(({ settlesAt }) => settlesAt));
    default:
      return assertNever(state);
  }
}

/** An unpaid booking expires. The cause is `transfer_expired` if the client chose a bank transfer. */
export function expiredEvent(booking: PendingBooking, at: Instant): BookingCancelled {
  const { bookingId, payments } = booking;
  const cause = payments.some((payment) => bankTransferOf(payment) !== undefined) ? "transfer_expired" : "expired";
  return { type: "BookingCancelled", at, data: { bookingId, cause, reason: null, ...releasedCredit(booking) } };
}

function dueEventsOfPending(booking: PendingBooking, at: Instant): readonly BookingEvent[] {
  const events = pendingTransfers(booking)
    .filter((payment) => (bankTransferOf(payment)?.dueAt ?? at) <= at)
    .flatMap((payment): BookingEvent[] => failTransfer(booking, payment, "bank_transfer_expired", at));
  // A pending charge may have taken money, so the booking waits for its outcome.
  if (isPastExpiry(booking, at) && pendingCharges(booking).length === 0) events.push(expiredEvent(booking, at));
  else if (!hasPendingPayment(booking)) events.push(...fallenPriceEvents(booking, undefined, at));
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
