import type { Actor } from "@travel-booking/engines/event-store";
import type { ApiRequest, Caller, CommandIdentity } from "@travel-booking/http";
import { commandStep } from "@travel-booking/runtime";
import type { CommandContext } from "./command-context.ts";

/** A request of an account, past authentication, that may write. */
export interface CommandRequest {
  readonly caller: Caller;
  readonly identity: CommandIdentity;
  readonly requestId: string;
}

/** What a handler of a writing operation knows about its request. */
export function commandRequest(request: ApiRequest): CommandRequest {
  if (request.caller === null || request.command === null) {
    throw new Error("an operation that writes is mounted without a scope or without a command identity");
  }
  return { caller: request.caller, identity: request.command, requestId: request.requestId };
}

/** The context of the n-th step a request takes; the steps of one request have ids of their own. */
export function stepContext(command: CommandRequest, step: number): CommandContext {
  return new StepContext(command, step);
}

/** A class, because a literal with a getter takes far longer to make. */
class StepContext implements CommandContext {
  readonly accountId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly causationId = null;
  readonly commandId: string;
  readonly #identity: CommandIdentity;

  constructor({ caller, identity, requestId }: CommandRequest, step: number) {
    this.accountId = caller.accountId;
    this.actor = { kind: "credential", id: caller.credentialId };
    this.requestId = requestId;
    this.commandId = commandStep(identity.commandId, step);
    this.#identity = identity;
  }

  get repeated(): boolean {
    return this.#identity.repeated;
  }
}
