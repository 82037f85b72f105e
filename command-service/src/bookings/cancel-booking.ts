import type { CancelBookingRequest } from "@travel-booking/api-contract";
import { isExistingBooking, refundsToSend, returnCancelled } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import {
  type CommandRequest,
  commandRequest,
  inTheNameOf,
  latestPosition,
  stepContext,
} from "../command-handling/command.ts";
import { creditGivenUpIn } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { bookingBodyOf, ok, rejectionResponse } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream } from "../streams.ts";

/** `POST /v1/bookings/{id}/cancel` */
export function cancelBooking(services: CommandServices) {
  return async (request: ApiRequest<unknown, CancelBookingRequest>): Promise<ApiResponse> =>
    cancel(servicesFor(request, services), commandRequest(request), request.params.id ?? "", request.body);
}

/**
 * Cancels a booking. It decides the cancellation and its refunds. Then seats and credit go back and refunds are sent, by
 * this request or, after a crash, by due tasks.
 */
export async function cancel(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  { reason }: CancelBookingRequest,
): Promise<ApiResponse> {
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type: "CancelBooking", ...inTheNameOf(command), reason: reason ?? null },
    context: stepContext(command, 0),
    reply: (state, events) => ({
      body: bookingBodyOf(state),
      flightId: events.length > 0 && isExistingBooking(state) ? state.flightId : null,
      refunds: refundsToSend(bookingId, state),
      credit: creditGivenUpIn(events),
    }),
  });
  if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
  services.reachedFaultPoint("cancel:recorded");
  const { body, flightId, refunds, credit } = outcome.reply;
  if (flightId === null) return ok(body, outcome.position);
  const returning = returnCancelled(bookingId, flightId, credit, refunds);
  const returned = await runFollowUp(services, returning, stepContext(command, 1));
  return ok(body, latestPosition(outcome.position, returned?.position));
}
