import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { CloseSeatChange } from "./commands.ts";
import type { SeatChangeClosed } from "./events.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { type BookingState, isExistingBooking } from "./state.ts";

/**
 * Settles what became of a change for good: taken over before (`hasAppliedSeatChange`), or never to be. A cancelled booking
 * takes nothing over anyway.
 */
export function closeSeatChange(
  { changeId }: CloseSeatChange,
  state: BookingState,
  at: Instant,
): Decision<SeatChangeClosed, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (state.status === "cancelled" || hasAppliedSeatChange(state, changeId) || state.changesClosed.includes(changeId)) {
    return accept();
  }
  return accept<SeatChangeClosed>({ type: "SeatChangeClosed", at, data: { changeId } });
}

/** Whether the booking took over the seats reserved under this change. */
export function hasAppliedSeatChange(state: BookingState, changeId: string): boolean {
  return isExistingBooking(state) && state.changesApplied.includes(changeId);
}
