import type { Instant } from "../shared/decision.ts";
import type { FlightTimes, Retiming } from "../shared/flight-change.ts";
import { DAY } from "../shared/time.ts";
import { agreedJourney, departingCase } from "./cases.ts";
import { documentsJudgedAnew } from "./documents.ts";
import type { BookingEvent, DepartureMoved } from "./events.ts";
import { expiresAtOf, transferDueAfter } from "./rules.ts";
import { bankTransferOf, type ExistingBooking, openCase, pendingTransfers } from "./state.ts";

/**
 * The booking departs at the new time, and everything that depends on that moves along (docs/rules.md#retimed-flights). Its case
 * stays open only where the traveller has paid and the change is significant.
 */
export function retimedEvents(booking: ExistingBooking, change: Retiming, at: Instant): readonly BookingEvent[] {
  const { after: times } = change;
  const before = agreedJourney(booking, change.before);
  const { flightId, cabin, seats } = booking;
  const significant = isSignificant(before, change) || isLossOpen(booking);
  const place = booking.unplaced === true ? openCase(booking)?.after : { flightId, cabin, seats };
  const after = place ? { ...place, ...times } : null;
  return [
    ...departingCase(booking, change, { significant, before, after }, at),
    departureMoved(booking, times.departsAt, at),
    ...documentsJudgedAnew(booking, times.departsAt, at),
  ];
}

/** Other times give nothing back of what another ship, or a move, has taken away. */
function isLossOpen(booking: ExistingBooking): boolean {
  const { caseId, kind, refundAmount = 0 } = openCase(booking) ?? {};
  const hasMoved = booking.moves?.some((move) => move.caseId === caseId) === true;
  return booking.unplaced === true || kind === "equipment_changed" || refundAmount > 0 || hasMoved;
}

/** Measured against what was agreed, not against the last change: three delays of two hours are six. */
function isSignificant(agreed: FlightTimes, { after, tolerance }: Retiming): boolean {
  const delay = Math.max(after.departsAt - agreed.departsAt, arrivalOf(after) - arrivalOf(agreed));
  return delay >= tolerance.later || agreed.departsAt - after.departsAt > tolerance.earlier;
}

function arrivalOf({ departsAt, durationDays }: FlightTimes): Instant {
  return departsAt + durationDays * DAY;
}

/** The time to pay follows, and so does that of a transfer, which is the same. */
function departureMoved(booking: ExistingBooking, departsAt: Instant, at: Instant): DepartureMoved {
  if (booking.status !== "pending") return { type: "DepartureMoved", at, data: { departsAt } };
  const [transfer] = pendingTransfers(booking).flatMap((payment) => bankTransferOf(payment) ?? []);
  const expiresAt =
    transfer === undefined
      ? expiresAtOf(booking.createdAt, departsAt, at)
      : transferDueAfter(transfer.dueAt, booking.departsAt, departsAt);
  return { type: "DepartureMoved", at, data: { departsAt, expiresAt } };
}
