import { noRoomForChange } from "../shared/changes.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import type { BookingCommand, BookingDecision, BookingHandlers } from "./commands.ts";
import { type BookingState, isExistingBooking } from "./state.ts";

export const noteHandlers = {
  /** Notes are words, so a booking of which anybody is erased takes none, and they count towards the room for changes. */
  AddNote({ text }, booking, at) {
    if (!isExistingBooking(booking) || booking.erased !== undefined) return reject("booking_not_found");
    return noRoomForChange(booking) ?? accept({ type: "NoteAdded", at, data: { text } });
  },
} satisfies Partial<BookingHandlers>;

/** The decision with what an operator says of it, if anything follows from it. */
export function withNote(
  decision: BookingDecision,
  command: BookingCommand,
  booking: BookingState,
  at: Instant,
): BookingDecision {
  if (!("note" in command) || command.note === undefined || decision.events.length === 0) return decision;
  const noted = noteHandlers.AddNote({ type: "AddNote", text: command.note }, booking, at);
  return noted.rejection === undefined ? { ...decision, events: [...decision.events, ...noted.events] } : noted;
}
