import type { Decider, DomainEvent, Rejection } from "@travel-booking/domain";
import type { CommandContext } from "./command-context.ts";

/** One command for one stream. */
export interface CommandExecution<Command, State, Event extends DomainEvent, Code extends string, Reply> {
  readonly stream: string;
  readonly decider: Decider<Command, State, Event, Code>;
  readonly command: Command;
  readonly context: CommandContext;
  /**
   * Makes the answer, right after the decision and before anything else is decided: the state is only good inside
   * this call. `events` are those of this command, also when they were recorded by an earlier attempt.
   */
  readonly reply: (state: State, events: readonly Event[]) => Reply;
  /**
   * Answer as soon as it is decided, for a step whose next step is recorded behind it: in a log with one writer the
   * next one is never there without this one, so waiting for the last is waiting for both. Elsewhere it has no effect.
   */
  readonly replyBeforeDurable?: boolean;
  /** The stream's id was made for this command: saves looking for a stream that can't be there. */
  readonly newStream?: boolean;
}

/** Looks at one stream, in turn with its commands. */
export interface StateRead<State, Event extends DomainEvent, Reply> {
  readonly stream: string;
  readonly decider: Decider<never, State, Event>;
  /** A command that comes after it, to be told whether another attempt at that has been recorded. */
  readonly context?: CommandContext;
  /** The state is only good inside this call. `events`: what another attempt at the command recorded. */
  readonly reply: (state: State, events: readonly Event[]) => Reply;
}

export type CommandOutcome<Reply, Code extends string> =
  | {
      readonly accepted: true;
      readonly reply: Reply;
      /** Everything the answer rests on is at or before this log position; of no use with `whenDecided`. */
      readonly position: bigint;
    }
  | { readonly accepted: false; readonly rejection: Rejection<Code>; readonly position: bigint };

/** The stream kept changing under this process, or an append's outcome can't be learnt now: try again later. */
export class StreamBusy extends Error {
  override readonly name = "StreamBusy";
}
