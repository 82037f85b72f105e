import { bookingDecider } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { releaseAllocation } from "./release-allocation.ts";
import { systemContext } from "./system-context.ts";

/** Gives back the seats of a cancelled booking. */
export async function releaseCancelledAllocation(services: CommandServices, bookingId: string): Promise<bigint> {
  const flightId = await services.handler.readState({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    reply: (state) => (state.status === "cancelled" ? state.flightId : undefined),
  });
  if (flightId === undefined) throw new Error(`booking ${bookingId} is not cancelled: its seats stay`);
  return releaseAllocation(services, systemContext(services), flightId, bookingId);
}
