import { accept, type Decider, handle } from "../shared/decision.ts";
import { changeHandlers } from "./change-booking.ts";
import type { BookingCommand, BookingDecision, BookingHandlers, BookingRejectionCode } from "./commands.ts";
import { documentHandlers } from "./documents.ts";
import { applyEvents, dueEventsToRecord } from "./due-events.ts";
import type { BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { lifecycleHandlers } from "./lifecycle.ts";
import { refundHandlers } from "./refunds.ts";
import { rewardHandlers, withPointChanges } from "./rewards.ts";
import type { BookingState } from "./state.ts";
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
  ExpireBooking: () => accept(),
};

/**
 * The rules of one booking and its money. Due events are recorded first, and the command is decided on the state
 * after them.
 */
export const bookingDecider: Decider<BookingCommand, BookingState, BookingEvent, BookingRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide(command, state, at) {
    const lapsed = dueEventsToRecord(state, at);
    const booking = applyEvents(state, lapsed);
    const decision: BookingDecision = handle(HANDLERS, command, booking, at);
    const events = withPointChanges(booking, decision.events, at);
    return { ...decision, events: lapsed.length === 0 ? events : [...lapsed, ...events] };
  },
  evolve: evolveBooking,
  copy: (state) => structuredClone(state),
};
