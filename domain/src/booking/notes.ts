import { noRoomForChange } from "../shared/changes.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import type { BookingCommand, BookingDecision, BookingHandlers } from "./commands.ts";
import type { NoteAdded } from "./events.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "./state.ts";

export const noteHandlers = {
  /** Notes count towards the room for changes. */
  AddNote({ text }, booking, at) {
    if (!takesNotes(booking)) return reject("booking_not_found");
    return noRoomForChange(booking) ?? accept(noted(text, at));
  },
} satisfies Partial<BookingHandlers>;

/** The decision with what an operator says of it, if anything follows from it: that is never refused for want of room. */
export function withNote(
  decision: BookingDecision,
  command: BookingCommand,
  booking: BookingState,
  at: Instant,
): BookingDecision {
  if (!("note" in command) || command.note === undefined || decision.events.length === 0) return decision;
  if (!takesNotes(booking)) return reject("booking_not_found");
  return { ...decision, events: [...decision.events, noted(command.note, at)] };
}

/** Notes are words, so a booking of which anybody is erased takes none. */
function takesNotes(booking: BookingState): booking is ExistingBooking {
  return isExistingBooking(booking) && booking.erased === undefined;
}

function noted(text: string, at: Instant): NoteAdded {
  return { type: "NoteAdded", at, data: { text } };
}
