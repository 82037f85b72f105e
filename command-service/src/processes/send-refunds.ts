import { type BookingState, bookingDecider, refundsOf } from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import { refundBodyOf } from "../responses/bodies.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { systemContext } from "./system-context.ts";

/** A refund the booking owes and a gateway has to carry out. Amount in cents. */
export interface RefundToSend {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
}

export interface SettledRefund {
  /** The public refund; undefined where the booking knows no such refund. */
  readonly body: unknown;
  readonly position: bigint;
}

/** Sends one refund and records that it arrived. Harmless to repeat: the gateway refunds an id once. */
export async function sendRefund(
  services: CommandServices,
  bookingId: string,
  refund: RefundToSend,
): Promise<SettledRefund> {
  services.reachedFaultPoint("refund:sending");
  await services.gateway.refund(refund);
  services.reachedFaultPoint("refund:sent");
  const settled = await settleRefund(services, systemContext(services), bookingId, refund.refundId);
  services.reachedFaultPoint("refund:settled");
  return settled;
}

/** Records that a refund arrived. */
export async function settleRefund(
  { handler }: CommandServices,
  context: CommandContext,
  bookingId: string,
  refundId: string,
): Promise<SettledRefund> {
  const outcome = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "SettleRefund", refundId },
    context,
    reply: (state) => refundBodyOf(state, refundId),
  });
  return { body: outcome.accepted ? outcome.reply : undefined, position: outcome.position };
}

/** The refunds of a booking that a gateway has to confirm yet. */
export function refundsToSend(state: BookingState): readonly RefundToSend[] {
  return refundsOf(state)
    .filter((refund) => refund.status === "pending" && refund.settlesAt === null)
    .map(({ refundId, paymentId, amount, currency }) => ({ refundId, paymentId, amount, currency }));
}

/**
 * Sends a refund within the request that started it. Unconfirmed it stays pending on the list of obligations, and
 * the request is not refused for it.
 */
export async function trySendRefund(
  services: CommandServices,
  bookingId: string,
  refund: RefundToSend,
): Promise<SettledRefund | undefined> {
  try {
    return await sendRefund(services, bookingId, refund);
  } catch (error) {
    services.logger.warn(
      { err: error, bookingId, refundId: refund.refundId },
      "refund not confirmed by the gateway yet",
    );
    return undefined;
  }
}
