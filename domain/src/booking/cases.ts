import type { Instant } from "../shared/decision.ts";
import type { EquipmentChange, FlightTimes, Retiming } from "../shared/flight-change.ts";
import { respondByOf } from "./answer-case.ts";
import type { BookingDisrupted, CaseResolved, CaseRevised, Journey } from "./events.ts";
import { caseIdOf } from "./ids.ts";
import { caseResolved } from "./rules.ts";
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
 * The case of a flight that still departs. It stays open only where the traveller has paid and the change is significant; whoever has no
 * place may answer until the departure, and nothing follows from silence before.
 */
export function departingCase(
  booking: ExistingBooking,
  change: Retiming | EquipmentChange,
  facts: Pick<BookingDisrupted["data"], "significant" | "before" | "after" | "refundAmount" | "unplaced">,
  at: Instant,
): readonly [BookingDisrupted | CaseRevised, ...CaseResolved[]] {
  const {
    disruptionId,
    kind,
    reason,
    revision: flightRevision,
    after: { departsAt },
  } = change;
  const isOpen = facts.significant && booking.status === "confirmed";
  const hasPlace = facts.after?.cabin === booking.cabin;
  const answer = hasPlace
    ? ({ respondBy: respondByOf(at, departsAt), onSilence: "accept" } as const)
    : { respondBy: departsAt, onSilence: null };
  const told = caseEvent(booking, { disruptionId, kind, reason, flightRevision, ...facts, ...(isOpen && answer) }, at);
  const { caseId } = told.data;
  const amount = (openCase(booking)?.refundAmount ?? 0) + (facts.refundAmount ?? 0);
  return isOpen ? [told] : [told, caseResolved(caseId, null, amount, at)];
}

/** Who had no place has taken one: that is agreed. */
export function placedEvents(booking: ExistingBooking, at: Instant): readonly CaseResolved[] {
  const open = booking.unplaced === true ? openCase(booking) : undefined;
  return open === undefined ? [] : [caseResolved(open.caseId, "accepted", open.refundAmount, at)];
}

/**
 * What the traveller agreed to last: at booking, or by an answer or the payment since.
 * @param times of the flight before it changes.
 */
export function agreedJourney(booking: ExistingBooking, { durationDays }: FlightTimes): Journey {
  const { flightId, departsAt, cabin, seats, agreed } = booking;
  return openCase(booking)?.before ?? { flightId, departsAt, durationDays, ...agreed, cabin, seats };
}
