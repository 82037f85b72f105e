import { type SeatHoldRequest, seatHoldBody } from "@travel-booking/api-contract";
import {
  activeHold,
  type FlightEvent,
  type FlightState,
  findHold,
  type Rejection,
  type SeatHold,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { holdIdOf } from "@travel-booking/runtime";
import { type CommandRequest, commandRequest, stepContext } from "../command-handling/command.ts";
import { created, noContent, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";
import { takeSeats } from "./unpaid-seats.ts";

/** `POST /v1/flights/{id}/seat-holds` */
export function holdSeats(services: CommandServices) {
  return async (request: ApiRequest<unknown, SeatHoldRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const flightId = request.params.id ?? "";
    const holdId = holdIdOf(command.identity.commandId);
    const outcome = await takeSeats(services, {
      ...flightStream(flightId),
      command: {
        type: "HoldSeats",
        holdId,
        accountId: command.caller.accountId,
        seats: request.body.seats,
        unpaidSeatsPercent: services.quotas.unpaidSeatsPercent,
      },
      context: stepContext(command, 0),
      lastStep: true,
      reply: (flight, events) => seatHoldBody(flightId, madeHold(flight, events), services.clock.now()),
    });
    return outcome.accepted
      ? created(outcome.reply, outcome.position)
      : rejectionResponse(outcome.rejection, outcome.position);
  };
}

/**
 * The hold that these events made, with its recorded status, because a repeated request may find it ended. A flight
 * forgets holds that ended long ago.
 */
function madeHold(flight: FlightState, events: readonly FlightEvent[]): SeatHold {
  const held = events.find((event) => event.type === "SeatsHeld");
  if (held === undefined) throw new Error("a hold was accepted without an event");
  const known = flight.status === "scheduled" ? findHold(flight, held.data.holdId, held.at) : undefined;
  return { ...held.data, createdAt: held.at, status: known?.status ?? "expired" };
}

/** `DELETE /v1/flights/{id}/seat-holds/{holdId}` */
export function releaseHold({ handler }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const outcome = await handler.execute({
      ...flightStream(request.params.id ?? ""),
      command: { type: "ReleaseHold", holdId: request.params.holdId ?? "", accountId: command.caller.accountId },
      context: stepContext(command, 0),
      reply: () => undefined,
    });
    return outcome.accepted ? noContent(outcome.position) : rejectionResponse(outcome.rejection, outcome.position);
  };
}

/**
 * A flight knows only its own holds. If a hold is missing, this checks whether the account has it, still active, on
 * another flight. Then the request is wrong (`hold_flight_mismatch`), and the hold is not gone.
 */
export async function explainMissingHold(
  { clock, handler, findFlightOfHold }: CommandServices,
  { caller: { accountId }, identity: attempt }: CommandRequest,
  holdId: string | undefined,
  rejection: Rejection,
): Promise<Rejection> {
  if (rejection.code !== "hold_not_found" || holdId === undefined) return rejection;
  const flightId = await findFlightOfHold(holdId);
  if (flightId === undefined) return rejection;
  const isOwnAndActive = await handler.readState({
    ...flightStream(flightId),
    attempt,
    reply: (flight) =>
      flight.status === "scheduled" && activeHold(flight, holdId, accountId, clock.now()) !== undefined,
  });
  return isOwnAndActive ? { code: "hold_flight_mismatch" } : rejection;
}
