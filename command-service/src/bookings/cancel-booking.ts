import type { CancelBookingRequest } from "@travel-booking/api-contract";
import { bookingDecider, isExistingBooking } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { latestPosition } from "../command-handling/latest-position.ts";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { creditGivenUpIn, returnCredit } from "../loyalty/credit.ts";
import { releaseAllocation } from "../processes/release-allocation.ts";
import { refundsToSend, trySendRefund } from "../processes/send-refunds.ts";
import { bookingBodyOf } from "../responses/bodies.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { ok } from "../responses/success.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

/**
 * `POST /v1/bookings/{id}/cancel`. The booking decides, and what is to be refunded with it; then its seats and
 * its credit go back and the refunds are sent, by this request or, after a crash, as obligations.
 */
export function cancelBooking(services: CommandServices) {
  return async (request: ApiRequest<unknown, CancelBookingRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const bookingId = request.params.id ?? "";
    const outcome = await services.handler.execute({
      stream: bookingStream(bookingId),
      decider: bookingDecider,
      command: {
        type: "CancelBooking",
        accountId: command.caller.accountId,
        reason: request.body.reason ?? null,
      },
      context: stepContext(command, 0),
      reply: (state, events) => ({
        body: bookingBodyOf(state),
        flightId: events.length > 0 && isExistingBooking(state) ? state.flightId : null,
        refunds: refundsToSend(state),
        credit: creditGivenUpIn(events),
      }),
    });
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    services.reachedFaultPoint("cancel:recorded");
    const { body, flightId, refunds, credit } = outcome.reply;
    let { position } = outcome;
    if (flightId !== null) {
      position = latestPosition(
        position,
        await releaseAllocation(services, stepContext(command, 1), flightId, bookingId),
      );
      services.reachedFaultPoint("cancel:released");
      if (credit !== undefined) position = latestPosition(position, await returnCredit(services, bookingId, credit));
      for (const refund of refunds) {
        position = latestPosition(position, (await trySendRefund(services, bookingId, refund))?.position);
      }
    }
    return ok(body, position);
  };
}
