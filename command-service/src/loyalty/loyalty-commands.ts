import {
  type BookingEvent,
  type CreditGivenUp,
  type LoyaltyCommand,
  type LoyaltyEvent,
  type LoyaltyState,
  priceOf,
} from "@travel-booking/domain";
import { type CommandContext, type CommandRequest, stepContext } from "../command-handling/command.ts";
import type { CommandServices } from "../services.ts";
import { loyaltyStream } from "../streams.ts";

/** Executes one command on the loyalty account it names. */
export function executeLoyaltyCommand<Reply>(
  { handler }: Pick<CommandServices, "handler">,
  context: CommandContext,
  command: LoyaltyCommand,
  reply: (state: LoyaltyState, events: readonly LoyaltyEvent[]) => Reply,
) {
  return handler.execute({
    ...loyaltyStream(command.accountId),
    command,
    context,
    reply,
  });
}

/** Whether a new booking can claim credit, or claimed some in an earlier attempt. */
export function hasCredit(
  { handler }: CommandServices,
  { caller, identity }: CommandRequest,
  bookingId: string,
): Promise<boolean> {
  return handler.readState({
    ...loyaltyStream(caller.accountId),
    attempt: identity,
    reply: ({ credit, claims }) => credit > 0 || claims.has(bookingId),
  });
}

/** Claims as much banked credit as a booking can use, but none in another currency. Returns the cents. */
export async function claimCredit(
  services: CommandServices,
  command: CommandRequest,
  step: number,
  bookingId: string,
  price: Parameters<typeof priceOf>[0] & { readonly currency: string },
): Promise<number> {
  const { accountId } = command.caller;
  const claimed = await executeLoyaltyCommand(
    services,
    stepContext(command, step),
    { type: "ClaimCredit", accountId, bookingId, maxAmount: priceOf(price), currency: price.currency },
    ({ claims }) => claims.get(bookingId) ?? 0,
  );
  services.reachedFaultPoint("book:credit-claimed");
  return claimed.accepted ? claimed.reply : 0;
}

/** The credit that these events of a booking gave up; at most one event gives up credit. */
export function creditGivenUpIn(events: readonly BookingEvent[]): CreditGivenUp | undefined {
  for (const { data } of events) {
    if ("creditGivenUp" in data && data.creditGivenUp !== undefined) return data.creditGivenUp;
  }
  return undefined;
}
