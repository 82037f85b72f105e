import { erase, mapWordsOfEvent, saysWordsLeft } from "../personal-data/words.ts";
import { accept, type Decider, handle } from "../shared/decision.ts";
import { answerHandlers } from "./answer-case.ts";
import { changeHandlers } from "./change-booking.ts";
import type { BookingCommand, BookingDecision, BookingHandlers, BookingRejectionCode } from "./commands.ts";
import { documentHandlers } from "./documents.ts";
import { applyEvents } from "./due-events.ts";
import type { BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { dueEventsFollowing } from "./follow-flight.ts";
import { lifecycleHandlers } from "./lifecycle.ts";
import { moveHandlers } from "./move-booking.ts";
import { noteHandlers, withNote } from "./notes.ts";
import { refundHandlers } from "./refunds.ts";
import { rewardHandlers, withPointChanges } from "./rewards.ts";
import { type BookingState, isExistingBooking } from "./state.ts";
import { cabinHandlers } from "./take-cabin.ts";
import { paymentHandlers } from "./take-payment.ts";
import { transferHandlers } from "./transfers.ts";

const HANDLERS: BookingHandlers = {
  ...answerHandlers,
  ...moveHandlers,
  ...cabinHandlers,
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

/** What happens to a booking of which anybody is erased brings no words into it; nor do documents where these are. */
function withoutNewWords(event: BookingEvent): BookingEvent {
  // What an operator verifies repeats the document's words; the reviewer's verdict says what was read.
  const isRepeated = saysWordsLeft(event.type) || (event.type === "DocumentVerified" && event.data.read === undefined);
  return isRepeated ? event : ({ ...event, data: mapWordsOfEvent(event.type, event.data, erase) } as BookingEvent);
}

/**
 * The rules of one booking and its money. What is due is recorded first, in the order in which it fell due: what time
 * has caused, and what has happened to the flight. The command is decided on the state after them.
 */
export const bookingDecider: Decider<BookingCommand, BookingState, BookingEvent, BookingRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide(command, state, at, news) {
    const flightId = isExistingBooking(state) ? state.flightId : undefined;
    const known = (flightId !== undefined && news?.(flightId)) || [];
    const { changes = [], flightId: read } = "changes" in command ? command : {};
    // It may have moved to another flight since that was read.
    const given = read === undefined || read === flightId ? changes : [];
    // Changes are only ever added, so the longer list is the newer one.
    const due = dueEventsFollowing(state, at, given.length < known.length ? known : given);
    const booking = applyEvents(state, due);
    const decision: BookingDecision = withNote(handle(HANDLERS, command, booking, at), command, booking, at);
    const decided = withPointChanges(booking, decision.events);
    const { erased, documentsErased = false } = isExistingBooking(booking) ? booking : {};
    const isErased = ({ type }: BookingEvent) =>
      erased !== undefined || (documentsErased && type.startsWith("Document"));
    const events = decided.map((event) => (isErased(event) ? withoutNewWords(event) : event));
    return { ...decision, events: due.length === 0 ? events : [...due, ...events] };
  },
  evolve: evolveBooking,
  copy: (state) => structuredClone(state),
};
