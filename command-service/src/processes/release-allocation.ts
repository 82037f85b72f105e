import { flightDecider } from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/** Gives back all a booking has on its flight. Harmless to repeat. Answers the log position that shows it. */
export async function releaseAllocation(
  { handler }: CommandServices,
  context: CommandContext,
  flightId: string,
  bookingId: string,
): Promise<bigint> {
  const outcome = await handler.execute({
    stream: flightStream(flightId),
    decider: flightDecider,
    command: { type: "ReleaseAllocation", bookingId },
    context,
    reply: () => undefined,
  });
  return outcome.position;
}
