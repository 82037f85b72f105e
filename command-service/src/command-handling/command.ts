import type { Decider, DomainEvent, Rejection } from "@travel-booking/domain";
import type { Actor } from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { ApiRequest, Caller, CommandIdentity } from "@travel-booking/http";
import { type CommandIdGenerator, commandStep } from "@travel-booking/runtime";

/** Where a command comes from; the metadata of its events. */
export interface CommandContext {
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly causationId: string | null;
  /** The id of this step. Each step of a request has its own. */
  readonly commandId: string;
  /** The attempt of the request. It is read at every decision, because it may change. */
  readonly attempt: Pick<CommandIdentity, "repeated" | "lapsed" | "storesResponse" | "mayHaveActed">;
}

/** A request to write for an account: its own, or an operator's in its place. */
export interface CommandRequest {
  readonly caller: Pick<Caller, "accountId">;
  readonly actor: Actor;
  readonly identity: CommandIdentity;
  readonly requestId: string;
  /** What an operator says of it, for operators alone. */
  readonly note?: string | undefined;
}

/** An authenticated request of an account that may write. */
export interface ClientRequest extends CommandRequest {
  readonly caller: Caller;
}

/** What a handler of a writing operation knows about its request. */
export function commandRequest(request: ApiRequest): ClientRequest {
  if (request.caller === null || request.command === null) {
    throw new Error("an operation that writes is mounted without a scope or without a command identity");
  }
  const { caller, command: identity, requestId } = request;
  return { caller, actor: { kind: "credential", id: caller.credentialId }, identity, requestId };
}

/** The fields of a client's command that say in whose name it is given, and what an operator says of it. */
export function inTheNameOf({ caller: { accountId }, note }: CommandRequest) {
  return note === undefined ? { accountId } : { accountId, note };
}

/** The context of the n-th step of a request. */
export function stepContext({ caller, actor, identity, requestId }: CommandRequest, step: number): CommandContext {
  return {
    accountId: caller.accountId,
    actor,
    requestId,
    causationId: null,
    commandId: commandStep(identity.commandId, step),
    attempt: identity,
  };
}

/**
 * The context of a command the service executes by itself, because of a time or an earlier event.
 * @param attempt of the request that can't go on without this command, if there is one.
 */
export function systemContext(
  { ids }: { readonly ids: CommandIdGenerator },
  attempt?: CommandContext["attempt"],
): CommandContext {
  return {
    accountId: null,
    actor: { kind: "system", id: "policy" },
    requestId: null,
    causationId: null,
    commandId: ids.next(),
    attempt: { repeated: false, mayHaveActed: attempt?.mayHaveActed === true },
  };
}

/** One command for one stream. */
export interface CommandExecution<Command, State, Event extends DomainEvent, Code extends string, Reply> {
  readonly stream: string;
  readonly decider: Decider<Command, State, Event, Code>;
  readonly command: Command;
  readonly context: CommandContext;
  /**
   * Makes the reply right after the decision. The state is valid only inside this call, because later decisions change
   * it. `events` are those of this command, even if an earlier attempt recorded them.
   */
  readonly reply: (state: State, events: readonly Event[]) => Reply;
  /**
   * True: reply as soon as the command is decided. It is for a step that another step follows. A log with one writer
   * never has the next step without this one, so waiting for the last step is enough. No effect elsewhere.
   */
  readonly replyBeforeDurable?: boolean;
  /**
   * After this step, or after such a reply, the request only answers. If its response is stored after the log
   * (`storesResponse`), waiting for the response is enough.
   */
  readonly lastStep?: true | ((reply: Reply) => boolean);
  /** True: the stream's id was made for this command. A stream that can't exist need not be read. */
  readonly newStream?: boolean;
}

/** A read of one stream's state, queued among its commands. */
export interface StateRead<State, Event extends DomainEvent, Reply> {
  readonly stream: string;
  readonly decider: Decider<never, State, Event>;
  /** The context of a command that this read prepares. `reply` also gets the events of earlier attempts at it. */
  readonly context?: CommandContext;
  /** The attempt of the request that reads; by default that of `context`. */
  readonly attempt?: CommandContext["attempt"];
  /** The state is valid only inside this call. */
  readonly reply: (state: State, events: readonly Event[]) => Reply;
}

export type CommandOutcome<Reply, Code extends string> =
  | {
      readonly accepted: true;
      readonly reply: Reply;
      /** Everything the answer rests on is at or before this log position. */
      readonly position: bigint;
    }
  | { readonly accepted: false; readonly rejection: Rejection<Code>; readonly position: bigint };

/** The rejection of a request's command that makes more events than the store takes at once. */
export const TOO_LARGE = "request_too_large";

/** Other processes kept writing to the stream, so the command must be retried later. */
export class StreamBusy extends Error {
  override readonly name = "StreamBusy";

  get unavailable() {
    return ["overloaded", "too much is changing at once; try again"] as const;
  }
}

/** Whether a command was not attempted, and may be in a moment. */
export function isNotAttempted(error: unknown): boolean {
  return error instanceof StreamBusy || (error instanceof EngineUnavailable && !error.outcomeUnknown);
}

/** The last of these log positions. */
export function latestPosition(first: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  let last = first;
  for (const position of others) if (position !== undefined && position > last) last = position;
  return last;
}
