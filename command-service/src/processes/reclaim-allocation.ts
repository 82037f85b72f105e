import { bookingDecider } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { releaseAllocation } from "./release-allocation.ts";
import { systemContext } from "./system-context.ts";

/**
 * Gives back seats that were allocated for a booking which never came into being. The booking's stream is closed
 * first: from then on a late creation is refused, so a booking without seats can't appear.
 */
export async function reclaimAllocation(
  services: CommandServices,
  flightId: string,
  bookingId: string,
): Promise<bigint> {
  const closed = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "AbandonBooking", bookingId },
    context: systemContext(services),
    reply: () => undefined,
  });
  // Refused means that the booking exists after all: its seats are its own.
  return closed.accepted ? releaseAllocation(services, systemContext(services), flightId, bookingId) : closed.position;
}
