import { bookingDecider, flightDecider, hasTakenOver } from "@travel-booking/domain";
import type { CommandContext } from "../handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { systemContext } from "./system-context.ts";

/** Ends an open seat change on the flight: the booking took the new seats, or it did not. Harmless to repeat. */
export async function endSeatChange(
  { handler }: CommandServices,
  context: CommandContext,
  flightId: string,
  change: {
    readonly type: "ApplySeatChange" | "DropSeatChange";
    readonly bookingId: string;
    readonly changeId: string;
  },
): Promise<bigint> {
  const outcome = await handler.execute({
    stream: flightStream(flightId),
    decider: flightDecider,
    command: change,
    context,
    reply: () => undefined,
  });
  return outcome.position;
}

/**
 * Finishes a seat change that a request left open. The booking is closed against that change first, so that a
 * request that is merely slow can't take seats the flight is about to give away.
 */
export async function finishSeatChange(
  services: CommandServices,
  flightId: string,
  bookingId: string,
  changeId: string,
): Promise<bigint> {
  const closed = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "CloseSeatChange", changeId },
    context: systemContext(services),
    reply: (state) => hasTakenOver(state, changeId),
  });
  const type = closed.accepted && closed.reply ? "ApplySeatChange" : "DropSeatChange";
  return endSeatChange(services, systemContext(services), flightId, { type, bookingId, changeId });
}
