import type { Instant } from "../shared/decision.ts";
import type { FlightTimes } from "../shared/flight-change.ts";
import type { BookingDisrupted, CaseRevised, Journey } from "./events.ts";
import { caseIdOf } from "./ids.ts";
import { casesOf, type ExistingBooking, openCase } from "./state.ts";

/** The case is opened, or revised if one is open. */
export function caseEvent(
  booking: ExistingBooking,
  facts: Omit<BookingDisrupted["data"], "caseId">,
  at: Instant,
): BookingDisrupted | CaseRevised {
  const open = openCase(booking);
  const caseId = open?.caseId ?? caseIdOf(booking.bookingId, casesOf(booking).length + 1);
  return { type: open === undefined ? "BookingDisrupted" : "CaseRevised", at, data: { caseId, ...facts } };
}

/**
 * What the traveller agreed to last: at booking, or by an answer or the payment since.
 * @param times of the flight before it changes.
 */
export function agreedJourney(booking: ExistingBooking, { durationDays }: FlightTimes): Journey {
  const { flightId, departsAt, cabin, seats, agreed } = booking;
  return openCase(booking)?.before ?? { flightId, departsAt, durationDays, ...agreed, cabin, seats };
}
