import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { hasAppliedSeatChange } from "./close-seat-change.ts";
import type { AssignSeatsToBooking } from "./commands.ts";
import type { BookingChanged } from "./events.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { type BookingState, isExistingBooking } from "./state.ts";

/**
 * Takes over the seats the flight has chosen, free of charge. A pending booking waits until it is paid, and what a client
 * has chosen meanwhile stays. The same change again changes nothing.
 */
export function assignSeatsToBooking(
  { changeId, cabin, seats }: AssignSeatsToBooking,
  state: BookingState,
  at: Instant,
): Decision<BookingChanged, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (hasAppliedSeatChange(state, changeId)) return accept();
  if (state.status === "cancelled") return reject("booking_cancelled");
  if (state.status === "pending") return reject("booking_pending");
  if (state.changesClosed.includes(changeId)) return reject("change_closed");
  if (state.seats.length > 0) return reject("seats_chosen");
  if (state.cabin !== cabin) return reject("cabin_left", { cabin });
  const travelling = state.passengers.length;
  if (seats.length !== travelling)
    return reject("seat_count_mismatch", { passengers: travelling, seats: seats.length });
  return accept<BookingChanged>({ type: "BookingChanged", at, data: { changeId, seats } });
}
