import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, type Saga } from "./saga.ts";

const claimAllocation = dueTask({
  kind: "claim_allocation",
  ofRequest: true,
  openedBy: {
    SeatsAllocated: ({ at, data: { bookingId, moveId } }, flightId) =>
      moveId === undefined ? { flightId, bookingId, dueAt: at + RECOVERY_GRACE } : undefined,
  },
  closedBy: {
    BookingCreated: (_, bookingId) => bookingId,
    AllocationReleased: ({ data }) => data.bookingId,
  },
  key: ({ bookingId }) => bookingId,
  /** Closes the booking's stream first. A late creation is then refused, so no booking without seats can appear. */
  *run({ flightId, bookingId }) {
    const abandoned = yield* execute("booking", bookingId, { type: "AbandonBooking", bookingId });
    // A rejection means that the booking exists after all, and its seats are its own.
    if (abandoned.accepted) yield* undoAllocation(flightId, bookingId);
  },
});

/** Gives back everything a booking has on its flight. Idempotent. */
export function* releaseAllocation(flightId: string, bookingId: string): Saga {
  yield* execute("flight", flightId, { type: "ReleaseAllocation", bookingId });
}

/** Gives back everything on the flight of a booking that was not created, and its hold to the client. Idempotent. */
export function* undoAllocation(flightId: string, bookingId: string): Saga {
  yield* execute("flight", flightId, { type: "ReleaseAllocation", bookingId, undone: true });
}

export const book = {
  name: "book",
  steps: "flight allocates (and settles the price), booking is created",
  undoneBy: "booking's stream is closed, then the allocation is released",
  tasks: [claimAllocation],
} as const satisfies ProcessDefinition;
