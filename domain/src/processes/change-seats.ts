import { hasAppliedSeatChange } from "../booking/change-booking.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, type Saga } from "./saga.ts";

/** A change whose new seats the flight has reserved in addition to the old ones. */
export interface OpenSeatChange {
  readonly flightId: string;
  readonly bookingId: string;
  readonly changeId: string;
}

const finishSeatChangeTask = dueTask({
  kind: "finish_seat_change",
  ofRequest: true,
  openedBy: {
    SeatChangeReserved: ({ at, data: { bookingId, changeId } }, flightId) => ({
      flightId,
      bookingId,
      changeId,
      dueAt: at + RECOVERY_GRACE,
    }),
  },
  closedBy: { SeatChangeApplied: onFlight, SeatChangeDropped: onFlight, AllocationReleased: onFlight },
  key: ({ bookingId, flightId }) => `${bookingId}/${flightId}`,
  run: (change) => finishSeatChange(change),
});

/** A booking that moves has places on two flights for a moment. */
function onFlight(
  { data: { bookingId } }: { readonly data: Pick<OpenSeatChange, "bookingId"> },
  flightId: string,
): string {
  return `${bookingId}/${flightId}`;
}

/**
 * Finishes a change that was refused, or that a request left open. Closes the booking against the change before the
 * flight gives the new seats away. After that neither a slow nor a repeated request can take them. Idempotent.
 * @param unchanged the booking accepted the change, but already has these seats.
 */
export function* finishSeatChange(change: OpenSeatChange, unchanged = false): Saga {
  const { bookingId, changeId } = change;
  const closed = yield* execute("booking", bookingId, { type: "CloseSeatChange", changeId }, (booking) =>
    hasAppliedSeatChange(booking, changeId),
  );
  yield* closed.reply === true
    ? applySeatChange(change)
    : endOnFlight({ type: "DropSeatChange", ...(unchanged && { usesHold: true }) }, change);
}

/** Makes the flight drop the old seats, once the booking has taken the new ones. Idempotent. */
export function applySeatChange(change: OpenSeatChange): Saga {
  return endOnFlight({ type: "ApplySeatChange" }, change);
}

type Ending = { readonly type: "ApplySeatChange" } | { readonly type: "DropSeatChange"; readonly usesHold?: true };

function* endOnFlight(ending: Ending, { flightId, bookingId, changeId }: OpenSeatChange): Saga {
  yield* execute("flight", flightId, { ...ending, bookingId, changeId });
}

export const changeSeats = {
  name: "change seats",
  steps: "flight reserves the new beside the old, booking decides, flight drops one of the two",
  undoneBy: "booking is closed against the change, then the new seats are dropped",
  tasks: [finishSeatChangeTask],
} as const satisfies ProcessDefinition;
