import type { DomainEvent, Rejection } from "@travel-booking/domain";
import { type EventToAppend, NO_STREAM, type RecordedEvent } from "@travel-booking/engines/event-store";
import { LRUCache } from "lru-cache";
import type { CommandContext, CommandExecution, CommandOutcome } from "./command.ts";
import type { ContentionBackoff } from "./contention-backoff.ts";
import { type AnyDecider, emptyStream, type FoldedStream } from "./folded-stream.ts";

/** A waiting command without its types, because one queue has only one kind of aggregate. */
export interface QueuedCommand {
  /** An execution without a command is a read. */
  readonly execution: Omit<CommandExecution<unknown, unknown, DomainEvent, string, unknown>, "command" | "context"> & {
    readonly command?: unknown;
    readonly context?: CommandContext;
  };
  readonly resolve: (outcome: CommandOutcome<unknown, string>) => void;
  readonly reject: (error: unknown) => void;
  /** How often an append of this command met another revision. */
  conflicts: number;
  /** `context.attempt.repeated` as last read. */
  repeated: boolean;
  /** `earlierEvents` holds what other attempts at this command recorded up to this revision. */
  searchedToRevision: number;
  earlierEvents: readonly RecordedEvent[];
}

/**
 * A command with its result. It is replied when everything that the result rests on is durable. `acted`: it had events
 * to record.
 */
export interface DecidedCommand {
  readonly command: QueuedCommand;
  readonly result:
    | { readonly reply: unknown; readonly acted: boolean }
    | { readonly rejection: Rejection }
    | { readonly error: unknown };
}

/** An append of unknown outcome. It is settled before anything else happens on its stream. */
interface UnresolvedAppend {
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
}

/** Commands decided and appended together. */
export const MAX_BATCH_SIZE = 256;

/** The waiting commands of one stream, and the stream as last folded. */
export interface StreamQueue {
  readonly stream: string;
  readonly decider: AnyDecider;
  commands: QueuedCommand[];
  /** Commands to be decided together: fewer for a while after the store refused to take what more of them append. */
  batchSize: number;
  running: boolean;
  /** Undefined: the stream must be read. */
  folded: FoldedStream | undefined;
  /** For a store with several writers. */
  readonly contentionBackoff: ContentionBackoff | undefined;
  unresolved: UnresolvedAppend | undefined;
  /** The revision of the last snapshot; `NO_STREAM` if there is none. */
  snapshotRevision: number;
  /** Characters of the last snapshot. */
  snapshotSize: number;
}

/** Streams that stay folded in memory while they are idle: those used last, so many and of so many bytes at most. */
const MAX_RECENT_STREAMS = 20_000;
const MAX_RECENT_BYTES = 128 * 1_024 * 1_024;
/** About the bytes that an event adds to a state, without texts of people. */
const BYTES_PER_EVENT = 100;

/** About the bytes that an idle stream takes. One that does not exist takes some, too. */
function sizeOf({ folded, snapshotRevision, snapshotSize }: StreamQueue): number {
  const { revision, sealed } = folded ?? { revision: NO_STREAM, sealed: 0 };
  return snapshotSize + BYTES_PER_EVENT * (revision - snapshotRevision + 1) + sealed;
}

/** The queues of all streams with waiting commands, and of those used last. */
export class StreamQueues {
  readonly #newContentionBackoff: () => ContentionBackoff | undefined;
  /** Queues with waiting commands or an unresolved append. They are never evicted. */
  readonly #active = new Map<string, StreamQueue>();
  readonly #recent = new LRUCache<string, StreamQueue>({
    max: MAX_RECENT_STREAMS,
    maxSize: MAX_RECENT_BYTES,
    sizeCalculation: sizeOf,
  });

  constructor(newContentionBackoff: () => ContentionBackoff | undefined) {
    this.#newContentionBackoff = newContentionBackoff;
  }

  /** The queue of a stream, even if idle; undefined if the stream was not used lately. */
  find(stream: string): StreamQueue | undefined {
    return this.#active.get(stream) ?? this.#recent.get(stream);
  }

  /** The queue of the execution's stream. It is active until it is released. */
  queueFor({ stream, decider, newStream }: QueuedCommand["execution"]): StreamQueue {
    const queue: StreamQueue = this.find(stream) ?? {
      stream,
      decider,
      commands: [],
      batchSize: MAX_BATCH_SIZE,
      running: false,
      folded: newStream === true ? emptyStream(decider) : undefined,
      contentionBackoff: this.#newContentionBackoff(),
      unresolved: undefined,
      snapshotRevision: NO_STREAM,
      snapshotSize: 0,
    };
    if (!queue.running) this.#active.set(stream, queue);
    return queue;
  }

  /** Releases an empty queue. A stream that does not exist is remembered, too, because many requests ask for one. */
  release(queue: StreamQueue): void {
    if (queue.unresolved !== undefined) return;
    this.#active.delete(queue.stream);
    // Deleted first, because setting the same value again would keep its old size.
    this.#recent.delete(queue.stream);
    if (queue.folded !== undefined) this.#recent.set(queue.stream, queue);
  }
}
