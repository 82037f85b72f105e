import { type BookingEvent, type CreditGivenUp, loyaltyDecider, priceOf } from "@travel-booking/domain";
import { type CommandRequest, stepContext } from "../command-handling/request-context.ts";
import type { CommandServices } from "../services.ts";
import { loyaltyStream } from "../streams.ts";
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

/** The credit these events of a booking gave up; at most one of them does. */
export function creditGivenUpIn(events: readonly BookingEvent[]): CreditGivenUp | undefined {
  for (const { data } of events) {
    if ("creditGivenUp" in data && data.creditGivenUp !== undefined) return data.creditGivenUp;
  }
  return undefined;
}
