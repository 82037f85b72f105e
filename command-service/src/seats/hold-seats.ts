import { type SeatHoldRequest, seatHoldBody } from "@travel-booking/api-contract";
import { type FlightState, flightDecider, type SeatHold } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { holdIdOf } from "@travel-booking/runtime";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { created } from "../responses/success.ts";
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
