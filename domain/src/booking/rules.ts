import type { Instant } from "../shared/decision.ts";
import { HOUR, hasDeparted, MINUTE } from "../shared/time.ts";
import { sameItems } from "../shared/values.ts";
import type {
  BookingConfirmed,
  CaseOutcome,
  CaseResolved,
  CreditGivenUp,
  PaymentSucceeded,
  PriceChange,
} from "./events.ts";
import {
  type BookingState,
  type CancelledBooking,
  type DisruptionCase,
  type ExistingBooking,
  type GrantedReward,
  hasPendingPayment,
  openCase,
  type PendingBooking,
} from "./state.ts";

/** The parts of a price, in cents. */
interface PriceParts {
  /** The fare of one passenger. */
  readonly fareAmount: number;
  readonly passengers: number;
  /** One per chosen seat. */
  readonly surcharges: readonly number[];
}

/** Cents before any credit (docs/rules.md#price). */
export function priceOf(parts: PriceParts): number {
  return parts.fareAmount * parts.passengers + sumOf(parts.surcharges);
}

/** Cents to pay after credit: never below zero. */
export function totalAmountOf(parts: PriceParts, creditApplied: number): number {
  return Math.max(0, priceOf(parts) - creditApplied);
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/**
 * The price changes of a pending booking with other seats. Credit beyond the new price returns to the account: with
 * nothing left to pay the booking is confirmed. Undefined if the total would change during a pending payment, which is
 * for the old total.
 * @param creditId of the credit that it gives up. A client's change gives some up once at most, as it confirms the booking.
 */
export function repriced(
  booking: PendingBooking,
  surcharges: readonly number[],
  creditId = `${booking.bookingId}/repriced`,
): PriceChange | undefined {
  const change = priceWith(booking, surcharges, creditId);
  return change.totalAmount !== undefined && hasPendingPayment(booking) ? undefined : change;
}

/** The price changes of a booking with other surcharges. @param creditId of the credit that it gives up. */
export function priceWith(booking: ExistingBooking, surcharges: readonly number[], creditId: string): PriceChange {
  const { accountId, fareAmount, passengers, creditApplied } = booking;
  const parts = { fareAmount, passengers: passengers.length, surcharges };
  const totalAmount = totalAmountOf(parts, creditApplied);
  const totalDiffers = totalAmount !== booking.totalAmount;
  const unused = creditApplied - priceOf(parts);
  return {
    ...(!sameItems(surcharges, booking.surcharges) && { surcharges }),
    ...(totalDiffers && { totalAmount }),
    ...(unused > 0 && { creditGivenUp: { accountId, creditId, amount: unused } }),
  };
}

/** All credit of a booking that has ended goes back to its account. */
export function releasedCredit({ bookingId, accountId, creditApplied: amount }: ExistingBooking): {
  readonly creditGivenUp?: CreditGivenUp;
} {
  return amount === 0 ? {} : { creditGivenUp: { accountId, creditId: `${bookingId}/cancelled`, amount } };
}

/** Whether points were spent on what a booking that never departs can't have. Credit returns by itself. */
export function isUndelivered({ reward }: GrantedReward): boolean {
  return reward !== "booking_credit";
}

/** A booking with nothing left to pay is confirmed (docs/rules.md#booking-statuses). */
export function confirmationIfFree(bookingId: string, totalAmount: number, at: Instant): readonly BookingConfirmed[] {
  return totalAmount === 0 ? [{ type: "BookingConfirmed", at, data: { bookingId } }] : [];
}

/** A payment in full confirms the booking. */
export function paidEvents(
  bookingId: string,
  paymentId: string,
  at: Instant,
  details?: Pick<PaymentSucceeded["data"], "details">,
): [PaymentSucceeded, BookingConfirmed] {
  return [
    { type: "PaymentSucceeded", at, data: { paymentId, ...details } },
    { type: "BookingConfirmed", at, data: { bookingId } },
  ];
}

/** A payable amount: whole cents, at least one. */
export function isValidAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount >= 1;
}

/**
 * When an unpaid booking expires (docs/rules.md#booking-expiry): with time to pay, but never past departure.
 * @param at when that is decided: at its creation, or when its departure has moved.
 */
export function expiresAtOf(createdAt: Instant, departsAt: Instant, at = createdAt): Instant {
  const usual = Math.min(createdAt + 24 * HOUR, departsAt - 2 * HOUR);
  return Math.min(departsAt, Math.max(usual, at + 15 * MINUTE));
}

/** Whether the time to pay is over; a pending charge may still prevent the expiry. */
export function isPastExpiry(state: BookingState, at: Instant): boolean {
  return state.status === "pending" && state.expiresAt !== null && at >= state.expiresAt;
}

/**
 * The last moment at which a cancellation is refunded (docs/rules.md#cancelling). While what the flight does is significant
 * for the booking and nobody has answered it, that is the departure (docs/rules.md#waiver), or the end of an offer of another
 * flight. It never gets earlier, unless the departure does.
 */
export function cancellableUntil(booking: ExistingBooking): Instant {
  const { departsAt, formerDepartures = [], flightCancelled } = booking;
  const usual = Math.min(departsAt, Math.max(departsAt, ...formerDepartures) - 24 * HOUR);
  const open = openCase(booking);
  if (open?.significant !== true) return usual;
  if (flightCancelled) return Math.max(departsAt, open.respondBy ?? departsAt);
  const answerBy = open.onSilence === "accept" ? (open.respondBy ?? departsAt) : departsAt;
  return Math.max(usual, Math.min(departsAt, answerBy));
}

/** Whether a cancellation gives back what is paid. A cancelled flight has no departure after which it would be too late. */
export function isCancellationFree(booking: ExistingBooking, at: Instant): boolean {
  const isGrounded = booking.flightCancelled === true && openCase(booking) !== undefined;
  return isGrounded || at <= cancellableUntil(booking);
}

/** Why money goes back because of a disruption. */
export function refundReasonOf({ kind }: Pick<DisruptionCase, "kind">): "flight_cancelled" | "other" {
  return kind === "cancelled" ? "flight_cancelled" : "other";
}

/** What has become of a case. `refundAmount`: cents that go back because of it. */
export function caseResolved(
  caseId: string,
  outcome: CaseOutcome | null,
  refundAmount: number,
  at: Instant,
): CaseResolved {
  return { type: "CaseResolved", at, data: { caseId, outcome, refundAmount } };
}

/** Why a command on a cancelled booking is refused. */
export function cancelledCode({ cause }: CancelledBooking): "booking_cancelled" | "flight_cancelled" {
  return cause === "flight_cancelled" ? "flight_cancelled" : "booking_cancelled";
}

/** A booking on a cancelled flight, or without a place, never departs: it is not flown, and earns no points. */
export function hasBookingDeparted({ departsAt, flightCancelled, unplaced }: ExistingBooking, at: Instant): boolean {
  return flightCancelled !== true && unplaced !== true && hasDeparted(departsAt, at);
}

/** When a bank transfer that starts now is due; undefined less than 48 hours before departure, which is too late. */
export function transferDueAt(departsAt: Instant, at: Instant): Instant | undefined {
  return departsAt - at < 48 * HOUR ? undefined : Math.min(at + 72 * HOUR, departsAt - 24 * HOUR);
}

/** When a bank transfer that is under way is due after the departure has moved (docs/rules.md#retimed-flights). */
export function transferDueAfter(dueAt: Instant, departedAt: Instant, departsAt: Instant): Instant {
  return departsAt < departedAt ? Math.min(dueAt, departsAt - 2 * HOUR) : dueAt;
}
