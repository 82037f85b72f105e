import { bookingDecider, bookingIdOfRefund } from "@travel-booking/domain";
import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import { refundBodyOf } from "../responses/bodies.ts";
import { bookingStream } from "../streams.ts";
import { operatorContext } from "./operator-context.ts";
import type { OperatorServices } from "./operator-services.ts";

/** `refund settle`: the money of a pending refund has arrived. */
export function refundRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    {
      method: "POST",
      path: "/operator/refunds/:id/settle",
      async handle(request) {
        const refundId = request.params.id ?? "";
        const bookingId = bookingIdOfRefund(refundId);
        if (bookingId === undefined) throw new OperatorError(404, "no refund with this id");
        const outcome = await services.handler.execute({
          stream: bookingStream(bookingId),
          decider: bookingDecider,
          command: { type: "SettleRefund", refundId },
          context: operatorContext(services, request),
          reply: (state) => refundBodyOf(state, refundId),
        });
        if (!outcome.accepted) throw new OperatorError(404, "no refund with this id");
        await services.waitUntilProjected(outcome.position);
        return { status: 200, body: outcome.reply };
      },
    },
  ];
}
