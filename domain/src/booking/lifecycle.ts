import { wordsWithout } from "../personal-data/words.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import { MAX_METADATA_KEYS, mergeMetadata } from "../shared/metadata.ts";
import { hasDeparted } from "../shared/time.ts";
import type { BookingDecision, BookingHandlers } from "./commands.ts";
import { applyEvents } from "./due-events.ts";
import { endedEvents } from "./end-booking.ts";
import type { BookingEvent } from "./events.ts";
import { dueEventsFollowing } from "./follow-flight.ts";
import {
  confirmationIfFree,
  expiresAtOf,
  hasBookingDeparted,
  isCancellationFree,
  isUndelivered,
  priceOf,
  sumOf,
  totalAmountOf,
} from "./rules.ts";
import { bookingOf, type ExistingBooking, hasPendingPayment, isExistingBooking, openCase, refundsOf } from "./state.ts";

export const lifecycleHandlers = {
  /** Creates the booking, and confirms it at once if it costs nothing. The same id again changes nothing. */
  CreateBooking(command, state, at) {
    if (state.status === "abandoned") return reject("booking_abandoned");
    if (state.status !== "none") return state.accountId === command.accountId ? accept() : reject("booking_exists");
    if (hasDeparted(command.departsAt, at)) return reject("flight_departed");
    const { type: _, metadata: sent = [], ...facts } = command;
    const metadata = mergeMetadata([], sent);
    if (metadata.length > MAX_METADATA_KEYS) return reject("too_much_metadata");
    if (facts.seats.length !== 0 && facts.seats.length !== facts.passengers.length) {
      return reject("seat_count_mismatch", { passengers: facts.passengers.length, seats: facts.seats.length });
    }
    const parts = { ...facts, passengers: facts.passengers.length };
    const creditApplied = Math.min(facts.creditApplied, priceOf(parts));
    const totalAmount = totalAmountOf(parts, creditApplied);
    const confirmed = confirmationIfFree(facts.bookingId, totalAmount, at);
    const expiresAt = confirmed.length > 0 ? null : expiresAtOf(at, facts.departsAt);
    return accept<BookingEvent>(
      {
        type: "BookingCreated",
        at,
        data: { ...facts, creditApplied, totalAmount, expiresAt, ...(metadata.length > 0 && { metadata }) },
      },
      ...confirmed,
    );
  },

  /** Closes the id, so that a late `CreateBooking` is refused. */
  AbandonBooking({ bookingId }, state, at) {
    if (state.status === "abandoned") return accept();
    if (state.status !== "none") return reject("booking_exists");
    return accept({ type: "BookingAbandoned", at, data: { bookingId } });
  },

  /** Erases a booking that is flown or cancelled, one of its party or its documents (docs/privacy.md#erasing). A second time is a no-op. */
  EraseBooking({ again, passenger, name, documents }, booking, at) {
    if (!isExistingBooking(booking)) return reject("booking_not_found");
    const { bookingId, erased = [], passengers } = booking;
    if (passenger !== undefined && passenger >= passengers.length) return reject("passenger_not_found");
    if (erased === true || (passenger !== undefined && erased.includes(passenger))) return accept();
    if (documents === true && booking.documentsErased === true) return accept();
    const isOver = booking.status === "cancelled" || hasBookingDeparted(booking, at);
    if (!isOver && !again) return reject("booking_not_over");
    if (documents === true)
      return accept({
        type: "BookingDocumentsErased",
        at,
        data: { bookingId, words: wordsWithout(booking, "documents") },
      });
    if (passenger === undefined) return accept({ type: "BookingErased", at, data: { bookingId } });
    if (name !== undefined && passengers[passenger]?.name !== name) return reject("passenger_differs");
    const words = wordsWithout(booking, passenger);
    return accept({ type: "BookingPassengerErased", at, data: { bookingId, passenger, words } });
  },

  /** Cancels; a second time is a no-op. What is paid goes back if it is early enough, or a disruption allows it. */
  CancelBooking({ accountId, reason, changes }, state, at) {
    const booking = bookingOf(state, accountId);
    if (booking === undefined) return reject("booking_not_found");
    if (booking.status === "cancelled") return accept();
    const isFree = isCancellationFree(booking, at);
    // What is lost is lost for good, so a hint of what the flight does is not enough.
    if (changes === undefined && (!isFree || booking.rewards.some(isUndelivered)))
      return reject("flight_unread", { flightId: booking.flightId });
    const refunds = isFree ? "booking_cancelled" : null;
    return accept(...endedEvents(booking, { cause: "requested", reason, refunds }, at));
  },
} satisfies Partial<BookingHandlers>;

/** The gateway's words for a dispute that is decided. */
const DECIDED = /^(won|lost|warning_closed|prevented)$/;

/** Whether nothing of a booking is under way, so that nobody needs to know any more who travelled. */
export function isSettled(booking: ExistingBooking): boolean {
  const { payments, returns } = booking;
  return (
    !hasPendingPayment(booking) &&
    refundsOf(booking).every(({ status }) => status === "succeeded") &&
    returns.every(({ status }) => status === "sent") &&
    payments.every(({ disputes }) => disputes.every(({ status }) => DECIDED.test(status))) &&
    openCase(booking) === undefined
  );
}

/**
 * The cents of payments and of credit that a cancellation would give back, decided as the cancellation itself.
 * @param changes what has happened to the flight, whether the booking has followed or not.
 */
export function cancellationQuote(
  booking: ExistingBooking,
  at: Instant,
  changes: readonly FlightChange[] = [],
): { refundAmount: number; credit: number } {
  const cancel = { type: "CancelBooking", accountId: booking.accountId, reason: null, changes } as const;
  const followed = dueEventsFollowing(booking, at, changes);
  const decision: BookingDecision = lifecycleHandlers.CancelBooking(cancel, applyEvents(booking, followed), at);
  const events = [...followed, ...decision.events];
  const refunds = events.filter((event) => event.type === "RefundStarted");
  const cancelled = events.find((event) => event.type === "BookingCancelled");
  return {
    refundAmount: sumOf(refunds.map(({ data }) => data.amount)),
    credit: cancelled?.data.creditGivenUp?.amount ?? 0,
  };
}
