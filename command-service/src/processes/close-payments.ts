import { bookingDecider, pendingCharges } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { recordChargeOutcome } from "./record-charge-outcome.ts";
import { systemContext } from "./system-context.ts";

/**
 * Ends an open charge: with its outcome where the gateway has one, else the id is barred there for good and the
 * payment fails (docs/rules.md#open-charges). Nobody can charge it after that.
 */
export async function closePayment(services: CommandServices, bookingId: string, paymentId: string): Promise<bigint> {
  const closed = await services.gateway.cancelCharge(paymentId);
  const outcome =
    closed.status === "barred" ? ({ status: "failed", failureCode: "processing_error" } as const) : closed;
  return (await recordChargeOutcome(services, systemContext(services), bookingId, paymentId, outcome)).position;
}

/** A booking may only expire once no charge of it is open. */
export async function expireBooking(services: CommandServices, bookingId: string): Promise<bigint> {
  const stream = bookingStream(bookingId);
  const open = await services.handler.readState({
    stream,
    decider: bookingDecider,
    reply: (state) => pendingCharges(state).map(({ paymentId }) => paymentId),
  });
  for (const paymentId of open) await closePayment(services, bookingId, paymentId);
  const expired = await services.handler.execute({
    stream,
    decider: bookingDecider,
    command: { type: "ExpireBooking" },
    context: systemContext(services),
    reply: () => undefined,
  });
  return expired.position;
}
