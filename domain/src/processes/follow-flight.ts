import { type ExistingBooking, isExistingBooking } from "../booking/state.ts";
import { changesOf } from "../flight/disrupt.ts";
import { execute, readState, type Saga } from "./saga.ts";

/** To another flight, meanwhile. */
const MOVED = Symbol("moved");

/**
 * Brings a booking to its flight's revision by the flight's own stream, before anything happens because it is time. What a process
 * knows of flights otherwise is a hint, and one that was down may know nothing (docs/decisions/0065-a-flight-decides-first.md).
 * @param reply what the caller needs of the booking. The result is undefined if there is none.
 */
export function* followFlight<Reply>(
  bookingId: string,
  reply: (booking: ExistingBooking) => Reply,
): Saga<Reply | undefined> {
  for (;;) {
    const flightId = yield* readState("booking", bookingId, (booking) =>
      isExistingBooking(booking) ? booking.flightId : undefined,
    );
    if (flightId === undefined) return undefined;
    const changes = yield* readState("flight", flightId, changesOf);
    const command = { type: "FollowFlight", flightId, changes } as const;
    const followed = yield* execute("booking", bookingId, command, (booking) =>
      isExistingBooking(booking) && booking.flightId === flightId ? reply(booking) : MOVED,
    );
    if (followed.reply !== MOVED) return followed.reply;
  }
}
