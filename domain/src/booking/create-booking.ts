import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { AbandonBooking, CreateBooking } from "./commands.ts";
import type { BookingAbandoned, BookingConfirmed, BookingCreated } from "./events.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { hasDeparted } from "./rules/departure-deadlines.ts";
import { expiresAtOf } from "./rules/expiry.ts";
import { initialStatus } from "./rules/initial-status.ts";
import { priceOf, totalAmountOf } from "./rules/price.ts";
import type { BookingState } from "./state.ts";

/** Creates the booking; one that costs nothing is confirmed at once. The same id again changes nothing. */
export function createBooking(
  command: CreateBooking,
  state: BookingState,
  at: Instant,
): Decision<BookingCreated | BookingConfirmed, BookingRejectionCode> {
  if (state.status === "abandoned") return reject("booking_abandoned");
  if (state.status !== "none") return state.accountId === command.accountId ? accept() : reject("booking_exists");
  if (hasDeparted(command.departsAt, at)) return reject("flight_departed");
  const { type: _, ...facts } = command;
  if (facts.seats.length !== 0 && facts.seats.length !== facts.passengers.length) {
    return reject("seat_count_mismatch", { passengers: facts.passengers.length, seats: facts.seats.length });
  }
  const parts = { ...facts, passengers: facts.passengers.length };
  const creditApplied = Math.min(facts.creditApplied, priceOf(parts));
  const totalAmount = totalAmountOf(parts, creditApplied);
  const confirmed = initialStatus(totalAmount) === "confirmed";
  const created: BookingCreated = {
    type: "BookingCreated",
    at,
    data: { ...facts, creditApplied, totalAmount, expiresAt: confirmed ? null : expiresAtOf(at, facts.departsAt) },
  };
  if (!confirmed) return accept(created);
  return accept<BookingCreated | BookingConfirmed>(created, {
    type: "BookingConfirmed",
    at,
    data: { bookingId: facts.bookingId },
  });
}

/** Makes sure that no booking comes into being under this id any more. */
export function abandonBooking(
  command: AbandonBooking,
  state: BookingState,
  at: Instant,
): Decision<BookingAbandoned, BookingRejectionCode> {
  if (state.status === "abandoned") return accept();
  if (state.status !== "none") return reject("booking_exists");
  return accept<BookingAbandoned>({ type: "BookingAbandoned", at, data: { bookingId: command.bookingId } });
}
