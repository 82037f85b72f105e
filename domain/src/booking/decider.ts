import { accept, type Decider, handle, type Instant } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import { changeHandlers } from "./change-booking.ts";
import type { BookingCommand, BookingDecision, BookingHandlers, BookingRejectionCode } from "./commands.ts";
import { documentHandlers } from "./documents.ts";
import { applyEvents, dueEventsToRecord } from "./due-events.ts";
import type { BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { followingEvents } from "./follow-flight.ts";
import { lifecycleHandlers } from "./lifecycle.ts";
import { noteHandlers, withNote } from "./notes.ts";
import { refundHandlers } from "./refunds.ts";
import { rewardHandlers, withPointChanges } from "./rewards.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "./state.ts";
import { paymentHandlers } from "./take-payment.ts";
import { transferHandlers } from "./transfers.ts";

const HANDLERS: BookingHandlers = {
  ...lifecycleHandlers,
  ...changeHandlers,
  ...paymentHandlers,
  ...transferHandlers,
  ...refundHandlers,
  ...rewardHandlers,
  ...documentHandlers,
  ...noteHandlers,
  ExpireBooking: () => accept(),
  FollowFlight: () => accept(),
};

/**
 * The rules of one booking and its money. What is due is recorded first, in the order in which it fell due: what time
 * has caused, and what has happened to the flight. The command is decided on the state after them.
 */
export const bookingDecider: Decider<BookingCommand, BookingState, BookingEvent, BookingRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide(command, state, at, news) {
    const known = isExistingBooking(state) ? news?.(state.flightId) : undefined;
    const due = dueBefore(state, at, command.type === "FollowFlight" ? command.change : known);
    const booking = applyEvents(state, due);
    const decision: BookingDecision = withNote(handle(HANDLERS, command, booking, at), command, booking, at);
    const events = withPointChanges(booking, decision.events, at);
    return { ...decision, events: due.length === 0 ? events : [...due, ...events] };
  },
  evolve: evolveBooking,
  copy: (state) => structuredClone(state),
};

/** The booking at `at` as a command would find it: it has followed its flight. `booking` itself is not changed. */
export function bookingFollowing(
  booking: ExistingBooking,
  at: Instant,
  change: FlightChange | undefined,
): ExistingBooking {
  return applyEvents(booking, dueBefore(booking, at, change)) as ExistingBooking;
}

function dueBefore(state: BookingState, at: Instant, change: FlightChange | undefined): readonly BookingEvent[] {
  if (change === undefined) return dueEventsToRecord(state, at);
  const lapsed = dueEventsToRecord(state, Math.min(at, change.at)).map((event) => ({ ...event, at }));
  const followed = follow(applyEvents(state, lapsed), change, at);
  const until = [...lapsed, ...followed];
  return [...until, ...dueEventsToRecord(applyEvents(state, until), at)];
}

/** Points move by the state after the first event: on a cancelled flight nobody has departed. */
function follow(state: BookingState, change: FlightChange, at: Instant): readonly BookingEvent[] {
  const [disrupted, ...rest] = followingEvents(state, change, at);
  return disrupted === undefined ? [] : [disrupted, ...withPointChanges(applyEvents(state, [disrupted]), rest, at)];
}
