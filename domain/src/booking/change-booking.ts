import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { seatChangeFields } from "./change-seats.ts";
import { hasAppliedSeatChange } from "./close-seat-change.ts";
import type { ChangeBooking } from "./commands.ts";
import type { BookingChanged, BookingConfirmed, BookingPassenger } from "./events.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { initialStatus } from "./rules/initial-status.ts";
import { type BookingState, bookingOf } from "./state.ts";

/**
 * Records the fields that really differ, and nothing where none does. Reference and passengers are records and may
 * change after departure too; seats may not.
 */
export function changeBooking(
  command: ChangeBooking,
  state: BookingState,
  at: Instant,
): Decision<BookingChanged | BookingConfirmed, BookingRejectionCode> {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  const { reference, passengers } = command;
  if (command.seats !== undefined && hasAppliedSeatChange(booking, command.seats.changeId)) return accept();
  if (booking.status === "cancelled") return reject("booking_cancelled");
  const travelling = booking.passengers.length;
  if (passengers !== undefined && passengers.length !== travelling) {
    return reject("passenger_count_mismatch", { booked: travelling, given: passengers.length });
  }
  const seats = seatChangeFields(booking, command.seats, at);
  if ("rejection" in seats) return seats.rejection;

  const referenceDiffers = reference !== undefined && reference !== booking.reference;
  const passengersDiffer = passengers !== undefined && !samePassengers(passengers, booking.passengers);
  if (!referenceDiffers && !passengersDiffer && seats.fields.changeId === null) return accept();
  const changed: BookingChanged = {
    type: "BookingChanged",
    at,
    data: { ...(referenceDiffers && { reference }), ...(passengersDiffer && { passengers }), ...seats.fields },
  };
  const { totalAmount } = seats.fields;
  if (totalAmount === undefined || initialStatus(totalAmount) === "pending") return accept(changed);
  return accept<BookingChanged | BookingConfirmed>(changed, {
    type: "BookingConfirmed",
    at,
    data: { bookingId: booking.bookingId },
  });
}

function samePassengers(some: readonly BookingPassenger[], others: readonly BookingPassenger[]): boolean {
  return some.every(({ name, email }, index) => name === others[index]?.name && email === others[index]?.email);
}
