import type { FlightChange } from "@travel-booking/domain";
import { type CommandRequest, systemContext } from "../command-handling/command.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

interface Reserved {
  readonly flightId: string;
  readonly bookingId: string;
  /** Of the flight as it reserved. */
  readonly changes: readonly FlightChange[];
}

/**
 * Makes a booking follow its flight before it takes what that has just reserved, whatever is known here: another ship may have seated it
 * before.
 */
export async function followFirst(
  services: CommandServices,
  { identity }: CommandRequest,
  { flightId, bookingId, changes }: Reserved,
): Promise<void> {
  if (changes.length === 0) return;
  await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type: "FollowFlight", flightId, changes },
    context: systemContext(services, identity),
    reply: () => undefined,
  });
}
