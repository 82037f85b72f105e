import { bookingDecider, flightDecider, hasAppliedSeatChange } from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { systemContext } from "./system-context.ts";

/** Ends an open seat change on the flight after the booking has taken the new seats. Harmless to repeat. */
export function applySeatChange(
  services: CommandServices,
  context: CommandContext,
  flightId: string,
  bookingId: string,
  changeId: string,
): Promise<bigint> {
  return endSeatChange(services, context, flightId, { type: "ApplySeatChange", bookingId, changeId });
}

/**
 * Finishes a seat change that was refused, or that a request left open. The booking is closed against that change
 * before the flight gives the new seats away, so that neither a slow request nor a repeated one can still take them.
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
    reply: (state) => hasAppliedSeatChange(state, changeId),
  });
  const type = closed.accepted && closed.reply ? "ApplySeatChange" : "DropSeatChange";
  return endSeatChange(services, systemContext(services), flightId, { type, bookingId, changeId });
}

async function endSeatChange(
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
