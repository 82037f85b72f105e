import { NO_STREAM } from "@travel-booking/engines/event-store";
import type { ContentionBackoff } from "./contention-backoff.ts";
import { emptyStream } from "./folded-stream.ts";
import type { QueuedCommand, StreamQueue } from "./stream-queue.ts";

export interface StreamQueuesOptions {
  /** How many streams stay folded in memory. */
  readonly maxCached: number;
  /** For a store that others may write to. */
  readonly newContentionBackoff: (execution: QueuedCommand["execution"]) => ContentionBackoff | undefined;
}

/** The lanes of all streams that are worked on, and of those used last. */
export class StreamQueues {
  readonly #options: StreamQueuesOptions;
  /** Least recently used first. */
  readonly #queues = new Map<string, StreamQueue>();

  constructor(options: StreamQueuesOptions) {
    this.#options = options;
  }

  queueFor(execution: QueuedCommand["execution"]): StreamQueue {
    const known = this.#queues.get(execution.stream);
    if (known !== undefined) return known;
    const lane: StreamQueue = {
      stream: execution.stream,
      decider: execution.decider,
      commands: [],
      running: false,
      folded: execution.newStream === true ? emptyStream(execution.decider) : undefined,
      contentionBackoff: this.#options.newContentionBackoff(execution),
      unresolved: undefined,
    };
    this.#queues.set(execution.stream, lane);
    return lane;
  }

  /** Most recently used streams stay folded; one that does not exist is not worth a place. */
  cacheOrEvict(lane: StreamQueue): void {
    this.#queues.delete(lane.stream);
    if (lane.unresolved === undefined && (lane.folded === undefined || lane.folded.revision === NO_STREAM)) return;
    this.#queues.set(lane.stream, lane);
    if (this.#queues.size <= this.#options.maxCached) return;
    for (const [stream, oldest] of this.#queues) {
      if (oldest.running || oldest.unresolved !== undefined) continue;
      this.#queues.delete(stream);
      return;
    }
  }
}
