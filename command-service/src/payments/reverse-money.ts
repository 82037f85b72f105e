import {
  type BankEntryState,
  freeEntry,
  isExistingBooking,
  postBookingPoints,
  type ReverseTransfer,
  returnCancelled,
  type Saga,
} from "@travel-booking/domain";
import { executeEnding } from "../bookings/end-booking.ts";
import { type CommandContext, latestPosition } from "../command-handling/command.ts";
import { creditGivenUpIn } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import type { CommandServices } from "../services.ts";
import { bankEntryStream, bookingStream } from "../streams.ts";

/**
 * Takes an entry of the bank account back (docs/rules.md#taking-money-back). Where a booking counts it, the booking decides. Then
 * the entry is free, and what a cancelled booking had goes back, by this request or, after a crash, by due tasks.
 * @param formerOwner the booking of an entry that a former release received; undefined: there is none.
 * @param newContext of each command.
 */
export async function reverseMoney(
  services: CommandServices,
  reversal: Omit<ReverseTransfer, "type">,
  formerOwner: string | undefined,
  newContext: () => CommandContext,
) {
  const { entryId } = reversal;
  const matched = await services.handler.readState({
    ...bankEntryStream(entryId),
    reply: (state: BankEntryState) => (state.status === "matched" ? state.entry.bookingId : undefined),
  });
  const bookingId = matched ?? formerOwner;
  if (bookingId === undefined) {
    return services.handler.execute({
      ...bankEntryStream(entryId),
      command: { type: "ReverseEntry", entryId, letGo: null },
      context: newContext(),
      reply: () => null,
    });
  }
  const decided = await executeEnding(services, {
    ...bookingStream(bookingId),
    command: { type: "ReverseTransfer", ...reversal },
    context: newContext(),
    reply(booking, events) {
      const reversed = events.find((event) => event.type === "TransferReversed");
      const isCancelled = events.some((event) => event.type === "BookingCancelled");
      const { flightId } = isExistingBooking(booking) ? booking : { flightId: "" };
      const credit = creditGivenUpIn(events);
      return { bookingId, reversed, cancelled: isCancelled ? { flightId, credit } : undefined };
    },
  });
  services.reachedFaultPoint("transfer:reversed");
  if (!decided.accepted || decided.reply.reversed === undefined) return decided;
  const { reversed, cancelled } = decided.reply;
  let { position } = decided;
  const follow = async (saga: Saga<unknown>) => {
    position = latestPosition(position, (await runFollowUp(services, saga, newContext()))?.position);
  };
  await follow(freeEntry(bookingId, entryId, reversed.data.reversals));
  if (cancelled !== undefined) await follow(returnCancelled(bookingId, cancelled.flightId, cancelled.credit, []));
  if (reversed.data.departed === true) await follow(postBookingPoints(bookingId));
  return { ...decided, position };
}
