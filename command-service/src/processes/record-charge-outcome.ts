import type { PaymentBody } from "@travel-booking/api-contract";
import { bookingDecider } from "@travel-booking/domain";
import type { ChargeOutcome } from "@travel-booking/payment-gateway";
import type { CommandContext } from "../command-handling/command-context.ts";
import { latestPosition } from "../command-handling/latest-position.ts";
import { paymentBodyOf } from "../responses/bodies.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { refundsToSend, trySendRefund } from "./send-refunds.ts";

/**
 * Records what became of a charge, together with what follows from it for the booking. A charge that came too late
 * is given back at once. Answers the payment as it is after that decision.
 */
export async function recordChargeOutcome(
  services: CommandServices,
  context: CommandContext,
  bookingId: string,
  paymentId: string,
  outcome: ChargeOutcome,
): Promise<{ readonly payment: PaymentBody; readonly position: bigint }> {
  const recorded = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "RecordPaymentOutcome", paymentId, outcome },
    context,
    reply: (state) => ({ payment: paymentBodyOf(state, paymentId), refunds: refundsToSend(state) }),
  });
  if (!recorded.accepted) {
    throw new Error(`the outcome of payment ${paymentId} was refused: ${recorded.rejection.code}`);
  }
  services.reachedFaultPoint("pay:recorded");
  let { position } = recorded;
  for (const refund of recorded.reply.refunds) {
    position = latestPosition(position, (await trySendRefund(services, bookingId, refund))?.position);
  }
  return { payment: recorded.reply.payment, position };
}
