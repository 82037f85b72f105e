import {
  type BookingEvent,
  bookingDecider,
  type CreditGivenUp,
  isExistingBooking,
  loyaltyDecider,
  priceOf,
} from "@travel-booking/domain";
import { type CommandRequest, stepContext } from "../command-handling/request-context.ts";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, loyaltyStream } from "../streams.ts";
import { executeLoyaltyCommand } from "./execute-loyalty-command.ts";

/** Whether a booking to be made has credit to claim, or has claimed some in an earlier attempt. */
export function hasCredit({ handler }: CommandServices, accountId: string, bookingId: string): Promise<boolean> {
  return handler.readState({
    stream: loyaltyStream(accountId),
    decider: loyaltyDecider,
    reply: ({ credit, claims }) => credit > 0 || claims.has(bookingId),
  });
}

/** Takes as much banked credit as a booking has use for; answers the cents. */
export async function claimCredit(
  services: CommandServices,
  command: CommandRequest,
  step: number,
  bookingId: string,
  price: Parameters<typeof priceOf>[0],
): Promise<number> {
  const claimed = await executeLoyaltyCommand(
    services,
    stepContext(command, step),
    { type: "ClaimCredit", accountId: command.caller.accountId, bookingId, maxAmount: priceOf(price) },
    ({ claims }) => claims.get(bookingId) ?? 0,
  );
  services.reachedFaultPoint("book:credit-claimed");
  return claimed.accepted ? claimed.reply : 0;
}

/**
 * Puts back what was claimed for a booking that never came into being, or was made without it. The stream of one that is
 * not there is closed first: a late creation is refused, so the credit can't be used twice.
 */
export async function settleCreditClaim(
  services: CommandServices,
  accountId: string,
  bookingId: string,
): Promise<bigint> {
  const stream = bookingStream(bookingId);
  const closed = await services.handler.execute({
    stream,
    decider: bookingDecider,
    command: { type: "AbandonBooking", bookingId },
    context: systemContext(services),
    reply: () => undefined,
  });
  // Refused means that the booking exists after all: with its credit, or made by another attempt that claimed none.
  const isUsed =
    !closed.accepted &&
    (await services.handler.readState({
      stream,
      decider: bookingDecider,
      reply: (state) => isExistingBooking(state) && state.creditClaimed > 0,
    }));
  if (isUsed) return closed.position;
  services.reachedFaultPoint("credit:abandoned");
  const returned = await executeLoyaltyCommand(
    services,
    systemContext(services),
    { type: "ReturnClaim", accountId, bookingId },
    () => undefined,
  );
  return returned.position;
}

/** Puts credit a booking gave up back in the bank. Harmless to repeat. */
export async function returnCredit(
  services: CommandServices,
  bookingId: string,
  { accountId, creditId, amount }: CreditGivenUp,
): Promise<bigint> {
  const returned = await executeLoyaltyCommand(
    services,
    systemContext(services),
    { type: "ReturnCredit", accountId, creditId, bookingId, amount },
    () => undefined,
  );
  services.reachedFaultPoint("credit:returned");
  return returned.position;
}

/** The credit these events of a booking gave up; at most one of them does. */
export function creditGivenUpIn(events: readonly BookingEvent[]): CreditGivenUp | undefined {
  for (const { data } of events) {
    if ("creditGivenUp" in data && data.creditGivenUp !== undefined) return data.creditGivenUp;
  }
  return undefined;
}
