import { flightDecider, holdStatus, type Rejection } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/**
 * A flight knows only its own holds. Where it misses one, this looks whether the account has it, still active, on
 * another flight: that is a mistake in the request (`hold_flight_mismatch`), not a hold that is gone.
 */
export async function explainMissingHold(
  { clock, handler, findFlightOfHold }: CommandServices,
  accountId: string,
  holdId: string | undefined,
  rejection: Rejection,
): Promise<Rejection> {
  if (rejection.code !== "hold_not_found" || holdId === undefined) return rejection;
  const flightId = await findFlightOfHold(holdId);
  if (flightId === undefined) return rejection;
  const isOwnAndActive = await handler.readState({
    stream: flightStream(flightId),
    decider: flightDecider,
    reply: (flight) => {
      const hold = flight.status === "scheduled" ? flight.holds.get(holdId) : undefined;
      return hold?.accountId === accountId && holdStatus(hold, clock.now()) === "active";
    },
  });
  return isOwnAndActive ? { code: "hold_flight_mismatch" } : rejection;
}
