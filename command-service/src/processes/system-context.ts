import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";

/** The context of what the service does by itself, because of a time or of an earlier event. */
export function systemContext({ ids }: Pick<CommandServices, "ids">): CommandContext {
  return {
    accountId: null,
    actor: { kind: "system", id: "policy" },
    requestId: null,
    causationId: null,
    commandId: ids.next(),
    repeated: false,
  };
}
