import type { DomainEvent, Rejection } from "@travel-booking/domain";
import type { EventToAppend, RecordedEvent } from "@travel-booking/engines/event-store";
import type { CommandContext } from "./command-context.ts";
import type { CommandExecution, CommandOutcome } from "./command-execution.ts";
import type { ContentionBackoff } from "./contention-backoff.ts";
import type { AnyDecider, FoldedStream } from "./folded-stream.ts";

/** A command waiting for its turn, with its types forgotten: one lane only ever sees one kind of aggregate. */
export interface QueuedCommand {
  /** Without a command it only looks. */
  readonly execution: Omit<CommandExecution<unknown, unknown, DomainEvent, string, unknown>, "command" | "context"> & {
    readonly command?: unknown;
    readonly context?: CommandContext;
  };
  readonly resolve: (outcome: CommandOutcome<unknown, string>) => void;
  readonly reject: (error: unknown) => void;
  /** How often the stream turned out to be elsewhere. */
  conflicts: number;
  /** Whether another attempt at this command may have been recorded, as it was told last. */
  repeated: boolean;
  /** Up to this revision all that other attempts at this command recorded is in `earlier`. */
  searchedToRevision: number;
  earlierEvents: readonly RecordedEvent[];
}

/** What a job came to, held back until everything it rests on is durable. */
export interface DecidedCommand {
  readonly command: QueuedCommand;
  readonly result: { readonly reply: unknown } | { readonly rejection: Rejection } | { readonly error: unknown };
}

/** An append nobody knows the outcome of: it comes before anything else on its stream. */
export interface UnresolvedAppend {
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
}

/** The commands of one stream, one after another, and the stream as last folded. */
export interface StreamQueue {
  readonly stream: string;
  readonly decider: AnyDecider;
  commands: QueuedCommand[];
  running: boolean;
  /** Undefined: has to be read. */
  folded: FoldedStream<unknown> | undefined;
  /** Where others may write to it, too. */
  readonly contentionBackoff: ContentionBackoff | undefined;
  unresolved: UnresolvedAppend | undefined;
}
