import { flightDecider, type Rejection } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/**
 * A flight knows only its own holds. Where it misses one, this looks whether the account has it on another flight:
 * that is a mistake in the request (`hold_flight_mismatch`), not a hold that is gone.
 */
export async function explainMissingHold(
  { handler, findHold }: CommandServices,
  accountId: string,
  holdId: string | undefined,
  rejection: Rejection,
): Promise<Rejection> {
  if (rejection.code !== "hold_not_found" || holdId === undefined) return rejection;
  const flightId = await findHold(holdId);
  if (flightId === undefined) return rejection;
  const owner = await handler.look({
    stream: flightStream(flightId),
    decider: flightDecider,
    reply: (flight) => (flight.status === "scheduled" ? flight.holds.get(holdId) : undefined)?.accountId,
  });
  return owner === accountId ? { code: "hold_flight_mismatch" } : rejection;
}
