import { bookingDecider, isExistingBooking, netAmountPaid, refundsAfterDeparture } from "@travel-booking/domain";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { executeLoyaltyCommand } from "./execute-loyalty-command.ts";

/**
 * Brings the points of a booking whose flight has departed in line with what is paid: they are earned, or taken back
 * after a refund. That it has departed is recorded in the booking first, so that it is settled for every refund whether
 * it comes before or after. Harmless to repeat.
 */
export async function postBookingPoints(services: CommandServices, bookingId: string): Promise<bigint> {
  const departed = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "RecordDeparture" },
    context: systemContext(services),
    reply: (state) =>
      isExistingBooking(state) && state.flown
        ? {
            accountId: state.accountId,
            departsAt: state.departsAt,
            amount: netAmountPaid(state),
            pending: state.pendingPoints,
            refundIds: refundsAfterDeparture(state),
          }
        : undefined,
  });
  services.reachedFaultPoint("points:departed");
  if (!departed.accepted || departed.reply === undefined) return departed.position;
  const { accountId, ...facts } = departed.reply;
  const posted = await executeLoyaltyCommand(
    services,
    systemContext(services),
    { type: "PostBooking", accountId, bookingId, ...facts },
    () => undefined,
  );
  services.reachedFaultPoint("points:posted");
  return posted.position;
}
