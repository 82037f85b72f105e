import { type CreateRefundRequest, refundBody } from "@travel-booking/api-contract";
import {
  bookingIdOfPayment,
  isExistingBooking,
  postBookingPoints,
  recordRefundedSeats,
  refundIdOf,
  refundsAfterDeparture,
  refundsToSend,
  trySendRefund,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { randomDigitsOf } from "@travel-booking/runtime";
import { commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { created, refundBodyOf, rejectionResponse } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream } from "../streams.ts";

/** `POST /v1/payments/{id}/refunds`. The intent is recorded, then the gateway is asked; unconfirmed, it stays pending. */
export function createRefund(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreateRefundRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const paymentId = request.params.id ?? "";
    const bookingId = bookingIdOfPayment(paymentId);
    if (bookingId === undefined) return rejectionResponse({ code: "payment_not_found" });
    const refundId = refundIdOf(paymentId, randomDigitsOf(command.identity.commandId));
    const started = await services.handler.execute({
      ...bookingStream(bookingId),
      command: {
        type: "RefundPayment",
        accountId: command.caller.accountId,
        paymentId,
        refundId,
        amount: request.body.amount ?? null,
        reason: request.body.reason,
      },
      context: stepContext(command, 0),
      reply: (state, events) => ({
        body: refundBodyOf(state, refundId),
        toSend: refundsToSend(bookingId, state).find((refund) => refund.refundId === refundId),
        departed: isExistingBooking(state) && refundsAfterDeparture(state).includes(refundId),
        unpaidAgain: events.some((event) => event.type === "RefundStarted" && event.data.keepsNothing === true),
      }),
    });
    if (!started.accepted) return rejectionResponse(started.rejection, started.position);
    services.reachedFaultPoint("refund:started");
    const { body, toSend, departed, unpaidAgain } = started.reply;
    const recounted = unpaidAgain ? await runFollowUp(services, recordRefundedSeats(bookingId)) : undefined;
    const reversed = departed ? await runFollowUp(services, postBookingPoints(bookingId)) : undefined;
    const sent = toSend && (await runFollowUp(servicesFor(request, services), trySendRefund(toSend)));
    const position = latestPosition(started.position, sent?.position, reversed?.position, recounted?.position);
    return created(sent?.result ? refundBody(sent.result) : body, position);
  };
}
