import type { OperatorRequest } from "@travel-booking/http/operator";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";

/** The context of a command an operator gives. */
export function operatorContext(
  { ids }: Pick<CommandServices, "ids">,
  request: OperatorRequest,
  accountId: string | null = null,
): CommandContext {
  return {
    accountId,
    actor: { kind: "operator", id: "operator" },
    requestId: request.requestId,
    causationId: null,
    commandId: ids.next(),
    repeated: false,
  };
}
