import type { CreateRefundRequest } from "@travel-booking/api-contract";
import {
  bookingDecider,
  bookingIdOfPayment,
  isExistingBooking,
  refundIdOf,
  refundsAfterDeparture,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { ownDigits } from "@travel-booking/runtime";
import { refundBodyOf } from "../edge/bodies.ts";
import { refused } from "../edge/refused.ts";
import { created } from "../edge/responses.ts";
import { latest } from "../handling/latest.ts";
import { accountCommand, stepContext } from "../handling/request-context.ts";
import { postBooking } from "../loyalty/post-booking.ts";
import { refundsToSend, sendRefundNow } from "../policies/send-refunds.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

/** `POST /v1/payments/{id}/refunds`. The intent is recorded, then the gateway is asked; unconfirmed, it stays pending. */
export function createRefund(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreateRefundRequest>): Promise<ApiResponse> => {
    const command = accountCommand(request);
    const paymentId = request.params.id ?? "";
    const bookingId = bookingIdOfPayment(paymentId);
    if (bookingId === undefined) return errorResponse(404, "no payment with this id");
    const refundId = refundIdOf(paymentId, ownDigits(command.identity.commandId));
    const started = await services.handler.execute({
      stream: bookingStream(bookingId),
      decider: bookingDecider,
      command: {
        type: "RefundPayment",
        accountId: command.caller.accountId,
        paymentId,
        refundId,
        amount: request.body.amount ?? null,
        reason: request.body.reason,
      },
      context: stepContext(command, 0),
      reply: (state) => ({
        body: refundBodyOf(state, refundId),
        toSend: refundsToSend(state).find((refund) => refund.refundId === refundId),
        departed: isExistingBooking(state) && refundsAfterDeparture(state).includes(refundId),
      }),
    });
    if (!started.accepted) return refused(started.rejection, started.position);
    services.reached("refund:started");
    const { body, toSend, departed } = started.reply;
    const reversed = departed ? await postBooking(services, bookingId) : undefined;
    const settled = toSend && (await sendRefundNow(services, bookingId, toSend));
    return created(settled?.body ?? body, latest(started.position, settled?.position, reversed));
  };
}
