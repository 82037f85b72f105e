import { type LoyaltyCommand, type LoyaltyEvent, type LoyaltyState, loyaltyDecider } from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { loyaltyStream } from "../streams.ts";

/** One command for the loyalty account it names. */
export function executeLoyaltyCommand<Reply>(
  { handler }: Pick<CommandServices, "handler">,
  context: CommandContext,
  command: LoyaltyCommand,
  reply: (state: LoyaltyState, events: readonly LoyaltyEvent[]) => Reply,
) {
  return handler.execute({
    stream: loyaltyStream(command.accountId),
    decider: loyaltyDecider,
    command,
    context,
    reply,
  });
}
