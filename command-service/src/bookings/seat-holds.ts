import { type SeatHoldRequest, seatHoldBody } from "@travel-booking/api-contract";
import { type FlightState, flightDecider, holdStatus, type Rejection, type SeatHold } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { holdIdOf } from "@travel-booking/runtime";
import { commandRequest, stepContext } from "../command-handling/command.ts";
import { created, noContent, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/** `POST /v1/flights/{id}/seat-holds` */
export function holdSeats({ handler, clock }: CommandServices) {
  return async (request: ApiRequest<unknown, SeatHoldRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const flightId = request.params.id ?? "";
    const holdId = holdIdOf(command.identity.commandId);
    const outcome = await handler.execute({
      stream: flightStream(flightId),
      decider: flightDecider,
      command: {
        type: "HoldSeats",
        holdId,
        accountId: command.caller.accountId,
        seats: request.body.seats,
      },
      context: stepContext(command, 0),
      lastStep: true,
      reply: (flight) => seatHoldBody(flightId, holdOf(flight, holdId), clock.now()),
    });
    return outcome.accepted
      ? created(outcome.reply, outcome.position)
      : rejectionResponse(outcome.rejection, outcome.position);
  };
}

function holdOf(flight: FlightState, holdId: string): SeatHold {
  const hold = flight.status === "scheduled" ? flight.holds.get(holdId) : undefined;
  if (hold === undefined) throw new Error(`hold ${holdId} was accepted and is not on its flight`);
  return hold;
}

/** `DELETE /v1/flights/{id}/seat-holds/{holdId}` */
export function releaseHold({ handler }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const outcome = await handler.execute({
      stream: flightStream(request.params.id ?? ""),
      decider: flightDecider,
      command: { type: "ReleaseHold", holdId: request.params.holdId ?? "", accountId: command.caller.accountId },
      context: stepContext(command, 0),
      reply: () => undefined,
    });
    return outcome.accepted ? noContent(outcome.position) : rejectionResponse(outcome.rejection, outcome.position);
  };
}

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
