import type { CreditGivenUp } from "../booking/events.ts";
import { releaseAllocation } from "./book.ts";
import { returnCredit } from "./credit.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition } from "./process.ts";
import { trySendRefund } from "./refund.ts";
import { faultPoint, type RefundToSend, readState, type Saga } from "./saga.ts";

const releaseSeats = dueTask({
  kind: "release_seats",
  openedBy: {
    // No request gives back the seats of a booking that expired.
    BookingCancelled: ({ at, data: { cause } }, bookingId) => ({
      bookingId,
      dueAt: cause === "requested" ? at + FOLLOW_UP_GRACE : at,
    }),
  },
  closedBy: { AllocationReleased: ({ data: { bookingId, moveId } }) => (moveId === undefined ? bookingId : []) },
  key: ({ bookingId }) => bookingId,
  *run({ bookingId }) {
    const flightId = yield* readState("booking", bookingId, (booking) =>
      booking.status === "cancelled" ? booking.flightId : undefined,
    );
    if (flightId === undefined) throw new Error(`booking ${bookingId} is not cancelled: its seats stay`);
    yield* releaseAllocation(flightId, bookingId);
  },
});

/** Gives back everything a cancelled booking had, within the request that cancelled it. */
export function* returnCancelled(
  bookingId: string,
  flightId: string,
  credit: CreditGivenUp | undefined,
  refunds: readonly RefundToSend[],
): Saga {
  yield* releaseAllocation(flightId, bookingId);
  yield* faultPoint("cancel:released");
  if (credit !== undefined) yield* returnCredit(bookingId, credit);
  for (const refund of refunds) yield* trySendRefund(refund);
}

export const cancel = {
  name: "cancel",
  steps: "booking decides (and what is refunded), flight releases, gateway refunds",
  undoneBy: "nothing: each step is repeated until done",
  tasks: [releaseSeats],
} as const satisfies ProcessDefinition;
