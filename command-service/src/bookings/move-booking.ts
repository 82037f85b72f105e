import { type BookingState, finishMove, moverFrom, movingBooking, placesFor } from "@travel-booking/domain";
import type { ApiResponse } from "@travel-booking/http";
import { type CommandRequest, inTheNameOf, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { ok, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { explainMissingHold } from "./seat-holds.ts";

/** What a client asks for by its answer to a case. */
interface AskedMove {
  readonly bookingId: string;
  readonly caseId: string;
  readonly revision: number;
  readonly flightId: string;
  readonly seats: readonly string[];
  readonly holdId: string | undefined;
  readonly answer: "accept" | "rebook";
  readonly body: (booking: BookingState) => unknown;
}

/**
 * Moves a booking to another flight, whose case is open. That flight allocates places beside those on the present one, the booking
 * decides, and one of the two flights releases: in this request or, after a crash, by the due task `finish_move`.
 */
export async function moveBooking(
  services: CommandServices,
  request: CommandRequest,
  { bookingId, caseId, revision, flightId, seats, holdId, answer, body }: AskedMove,
): Promise<ApiResponse> {
  const { handler, reachedFaultPoint } = services;
  const attempt = request.identity;
  const moving = await handler.readState({
    ...bookingStream(bookingId),
    attempt,
    reply: (booking) => movingBooking(booking, caseId),
  });
  if (moving === undefined) return rejectionResponse({ code: "disruption_not_found" });
  const mover = await handler.readState({
    ...flightStream(moving.flightId),
    attempt,
    reply: (flight) => moverFrom(flight, moving),
  });
  const { agreed, paid } = moving;
  const context = stepContext(request, 0);
  const allocation = await handler.execute({
    ...flightStream(flightId),
    command: {
      type: "AllocateMove",
      ...mover,
      moveId: context.commandId,
      seats,
      holdId: holdId ?? null,
      // What the carrier has offered need not be on sale.
      ...(answer === "rebook" && { asked: { agreed, paid } }),
    },
    context,
    replyBeforeDurable: true,
    reply: (flight) => placesFor(flight, bookingId),
  });
  if (!allocation.accepted)
    return rejectionResponse(
      await explainMissingHold(services, request, holdId, allocation.rejection),
      allocation.position,
    );
  const places = allocation.reply;
  // An earlier attempt was given up, and its places went back.
  if (places === undefined) return rejectionResponse({ code: "change_closed" }, allocation.position);
  reachedFaultPoint("move:allocated");
  const decided = await handler.execute({
    ...bookingStream(bookingId),
    command: { type: "MoveBooking", ...inTheNameOf(request), caseId, revision, answer, ...places },
    context: stepContext(request, 1),
    reply: body,
  });
  reachedFaultPoint("move:decided");
  const finished = await runFollowUp(services, finishMove({ flightId, bookingId, moveId: places.moveId }));
  reachedFaultPoint("move:finished");
  const position = latestPosition(decided.position, finished?.position);
  return decided.accepted ? ok(decided.reply, position) : rejectionResponse(decided.rejection, position);
}
