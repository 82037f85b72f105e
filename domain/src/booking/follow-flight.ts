import type { Instant } from "../shared/decision.ts";
import type { Cancellation, FlightChange, Reinstatement } from "../shared/flight-change.ts";
import { refundedEvents, respondByOf } from "./answer-case.ts";
import { agreedJourney, caseEvent } from "./cases.ts";
import { applyEvents, dueEventsToRecord } from "./due-events.ts";
import type { BookingEvent } from "./events.ts";
import { equipmentEvents } from "./follow-equipment.ts";
import { retimedEvents } from "./follow-retiming.ts";
import { withPointChanges } from "./rewards.ts";
import { type BookingState, changesToFollow, type ExistingBooking, isExistingBooking, openCase } from "./state.ts";

/**
 * What is due before a command is decided, in the order in which it fell due: what time has caused by `at`, and what has
 * happened to the flight, each change of it in its turn.
 */
export function dueEventsFollowing(
  state: BookingState,
  at: Instant,
  changes: readonly FlightChange[],
): readonly BookingEvent[] {
  const events: BookingEvent[] = [];
  let booking = state;
  const add = (more: readonly BookingEvent[]) => {
    events.push(...more);
    booking = applyEvents(booking, more);
  };
  for (const change of changesToFollow(state, changes)) {
    add(dueEventsToRecord(booking, Math.min(at, change.at)).map((event) => ({ ...event, at })));
    add(follow(booking, change, changes, at));
  }
  add(dueEventsToRecord(booking, at));
  return events;
}

/** The booking at `at` as a command would find it: it has followed its flight. `booking` itself is not changed. */
export function bookingFollowing(
  booking: ExistingBooking,
  at: Instant,
  changes: readonly FlightChange[],
): ExistingBooking {
  return applyEvents(booking, dueEventsFollowing(booking, at, changes)) as ExistingBooking;
}

/** Points move by the state after the first event: on a cancelled flight nobody has departed. */
function follow(
  state: BookingState,
  change: FlightChange,
  changes: readonly FlightChange[],
  at: Instant,
): readonly BookingEvent[] {
  const [first, ...rest] = followingEvents(state, change, changes, at);
  return first === undefined ? [] : [first, ...withPointChanges(applyEvents(state, [first]), rest)];
}

/** What a change of its flight means for the booking; none if it is over (docs/rules.md#cancelled-flights). */
function followingEvents(
  state: BookingState,
  change: FlightChange,
  changes: readonly FlightChange[],
  at: Instant,
): readonly BookingEvent[] {
  if (!isExistingBooking(state) || state.status === "cancelled") return [];
  switch (change.kind) {
    case "cancelled":
      return cancelledEvents(state, change, at);
    case "reinstated":
      return reinstatedEvents(state, change, at);
    // Whoever has flown by its own books: the news came too late.
    case "retimed":
      return state.flown ? [] : retimedEvents(state, change, at);
    case "equipment_changed":
      return state.flown ? [] : equipmentEvents(state, change, changes, at);
  }
}

/** The booking ends at once, unless it is paid and its client may answer first. */
function cancelledEvents(booking: ExistingBooking, change: Cancellation, at: Instant): readonly BookingEvent[] {
  const { disruptionId, kind, reason, revision: flightRevision } = change;
  const before = agreedJourney(booking, change.before);
  const isOffered = change.policy !== "refund" && booking.status === "confirmed";
  // Who is to be moved has nothing to be silent about before that.
  const onSilence = change.policy === "move" ? null : "refund";
  const offer = { respondBy: respondByOf(at, booking.departsAt), onSilence } as const;
  const facts = { disruptionId, kind, reason, flightRevision, significant: true, before, after: null };
  const told = caseEvent(booking, { ...facts, ...(isOffered && offer) }, at);
  return isOffered ? [told] : [told, ...refundedEvents(booking, { caseId: told.data.caseId, kind }, at)];
}

/**
 * Only one that knows of the cancellation, and is not over by it, has a case open: it is resolved, or is again that of the change
 * which nobody has answered.
 */
function reinstatedEvents(booking: ExistingBooking, { revision }: Reinstatement, at: Instant): readonly BookingEvent[] {
  const open = openCase(booking);
  if (open === undefined) return [];
  const { caseId, former, refundAmount } = open;
  const { departsAt, unplaced } = booking;
  if (former !== undefined) {
    // Meanwhile it could not be answered as what it is again.
    const respondBy = Math.max(former.respondBy ?? 0, respondByOf(at, departsAt));
    const again = { ...former, respondBy, flightRevision: revision, ...(unplaced && { unplaced }) };
    return [{ type: "CaseRevised", at, data: again }];
  }
  const data = { caseId, outcome: null, refundAmount, reinstatedBy: revision, departsAt };
  return [{ type: "CaseResolved", at, data }];
}
