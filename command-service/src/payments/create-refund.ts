import { type CreateRefundRequest, refundBody } from "@travel-booking/api-contract";
import {
  bookingIdOfPayment,
  isExistingBooking,
  postBookingPoints,
  refundIdOf,
  refundsAfterDeparture,
  refundsToSend,
  trySendRefund,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { randomDigitsOf } from "@travel-booking/runtime";
import { takeSeats } from "../bookings/unpaid-seats.ts";
import {
  type CommandRequest,
  commandRequest,
  inTheNameOf,
  latestPosition,
  stepContext,
} from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { created, refundBodyOf, rejectionResponse } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";

/** `POST /v1/payments/{id}/refunds` */
export function createRefund(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreateRefundRequest>): Promise<ApiResponse> =>
    refund(servicesFor(request, services), commandRequest(request), request.params.id ?? "", request.body);
}

/**
 * Refunds a payment. Where less than half would be kept, the flight first counts the seats as unpaid, or has no room for
 * them. The intent is recorded, then the gateway is asked; unconfirmed, it stays pending.
 */
export async function refund(
  services: CommandServices,
  command: CommandRequest,
  paymentId: string,
  { amount, reason }: CreateRefundRequest,
): Promise<ApiResponse> {
  const bookingId = bookingIdOfPayment(paymentId);
  if (bookingId === undefined) return rejectionResponse({ code: "payment_not_found" });
  const refundId = refundIdOf(paymentId, randomDigitsOf(command.identity.commandId));
  const start = (condition: { readonly onlyKeepingHalf?: true }) =>
    services.handler.execute({
      ...bookingStream(bookingId),
      command: {
        type: "RefundPayment",
        ...inTheNameOf(command),
        paymentId,
        refundId,
        amount: amount ?? null,
        amountSteps: services.gateway.amountSteps,
        reason,
        ...condition,
      },
      context: stepContext(command, 0),
      reply: (state) => ({
        body: refundBodyOf(state, refundId),
        toSend: refundsToSend(bookingId, state).find((each) => each.refundId === refundId),
        departed: isExistingBooking(state) && refundsAfterDeparture(state).includes(refundId),
      }),
    });
  let started = await start({ onlyKeepingHalf: true });
  if (!started.accepted && started.rejection.code === "keeps_less_than_half") {
    const recounted = await takeSeats(services, {
      ...flightStream(String(started.rejection.facts?.flightId)),
      command: {
        type: "RecordRefundedSeats",
        bookingId,
        accountId: command.caller.accountId,
        refundId,
        unpaidSeatsPercent: services.quotas.unpaidSeatsPercent,
      },
      context: stepContext(command, 1),
      replyBeforeDurable: true,
      reply: () => undefined,
    });
    if (!recounted.accepted) {
      const { code, facts } = recounted.rejection;
      return rejectionResponse({ code, facts: { ...facts, refundOf: bookingId } }, recounted.position);
    }
    services.reachedFaultPoint("refund:recounted");
    started = await start({});
  }
  if (!started.accepted) return rejectionResponse(started.rejection, started.position);
  services.reachedFaultPoint("refund:started");
  const { body, toSend, departed } = started.reply;
  const reversed = departed ? await runFollowUp(services, postBookingPoints(bookingId)) : undefined;
  const sent = toSend && (await runFollowUp(services, trySendRefund(toSend)));
  const position = latestPosition(started.position, sent?.position, reversed?.position);
  return created(sent?.result ? refundBody(sent.result) : body, position);
}
