import { causeOfWriteFailure, codeOf, type Environment, readingFrom, storageFault } from "../../lmdb/index.ts";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  type RecordedEvent,
  type SubscribeOptions,
  WrongExpectedRevision,
} from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import { WakeUp } from "../wake-up.ts";
import { type EventDatabases, openEventDatabases } from "./databases.ts";
import { EventPacker, EventUnpacker, StructuresNotStored } from "./event-codec.ts";
import { EventLog } from "./event-log.ts";
import { type PackedEvent, writeEvents, writeIndex } from "./group-commit.ts";
import { StreamHeads } from "./stream-heads.ts";
import { StreamIndex } from "./stream-index.ts";

export { LMDB_EVENT_STORE_DATABASES } from "./databases.ts";

export interface LmdbEventStoreOptions {
  /** Notified after each flush. Give the same one to the readers in other threads. */
  readonly wakeUp?: WakeUp;
  readonly upcast?: Upcast;
  /**
   * A flush has failed: what was under way may or may not be stored, and nothing can be appended any more. End the
   * process; a restart finds what is stored.
   */
  readonly onFatal: (error: Error) => void;
}

/**
 * The log on LMDB. This process is its only writer. Appends that arrive while a flush is under way share the next one.
 * @throws StorageFault damaged, or its index is behind and can't be written.
 */
export function openLmdbEventStore(environment: Environment, options: LmdbEventStoreOptions): EventStore {
  return new LmdbEventStore(environment, options);
}

interface Flush {
  readonly first: number;
  readonly events: PackedEvent[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A stream that is ahead of what has been flushed. */
interface Ahead {
  readonly revision: number;
  readonly flush: Flush;
}

const CACHED_HEADS = 100_000;

class LmdbEventStore implements EventStore {
  readonly exclusive = true;
  readonly #environment: Environment;
  readonly #databases: EventDatabases;
  readonly #packer: EventPacker;
  readonly #index: StreamIndex;
  readonly #log: EventLog;
  readonly #wakeUp: WakeUp;
  readonly #onFatal: (error: Error) => void;
  readonly #heads = new StreamHeads(CACHED_HEADS);
  readonly #ahead = new Map<string, Ahead>();
  readonly #closing = new AbortController();
  #position: number;
  #gathering: Flush | undefined;
  #flushing: Promise<void> | undefined;
  #unavailable: EventStoreUnavailable | undefined;

  constructor(environment: Environment, options: LmdbEventStoreOptions) {
    this.#environment = environment;
    this.#databases = openEventDatabases(environment);
    this.#packer = new EventPacker(this.#databases);
    this.#wakeUp = options.wakeUp ?? new WakeUp();
    const unpacker = new EventUnpacker(this.#databases);
    this.#index = new StreamIndex(this.#databases, unpacker);
    this.#log = new EventLog(this.#databases, unpacker, this.#index, this.#wakeUp, options.upcast);
    this.#onFatal = options.onFatal;
    this.#position = this.#log.head();
    this.#completeIndex();
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    if (events.length === 0) throw new RangeError("nothing to append");
    if (expectedRevision !== this.#revision(stream)) return this.#repeated(stream, expectedRevision, events);
    const packed = this.#pack(stream, expectedRevision, events);
    const flush = this.#gather();
    flush.events.push(...packed);
    this.#position += events.length;
    const result = { revision: expectedRevision + events.length, position: BigInt(this.#position) };
    this.#ahead.set(stream, { revision: result.revision, flush });
    await flush.done;
    return result;
  }

  async readStream(stream: string, fromRevision = 0): Promise<readonly RecordedEvent[]> {
    return this.#log.readStream(stream, fromRevision);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#log.subscribe({ ...options, signal: AbortSignal.any([options.signal, this.#closing.signal]) });
  }

  async head(): Promise<bigint> {
    return BigInt(this.#log.head());
  }

  async close(): Promise<void> {
    this.#unavailable ??= new EventStoreUnavailable("the event store is closed", { outcomeUnknown: false });
    while (this.#flushing !== undefined) await this.#flushing;
    await this.#flushIndex();
    this.#closing.abort();
  }

  #completeIndex(): void {
    const { path, root } = this.#environment;
    try {
      this.#index.catchUpAndStore((write) => root.transactionSync(write));
    } catch (error) {
      throw storageFault(path, error);
    }
  }

  /** Counts what is accepted but not flushed yet. */
  #revision(stream: string): number {
    const known = this.#ahead.get(stream)?.revision ?? this.#heads.get(stream);
    if (known !== undefined) return known;
    const revision = readingFrom("event log", () => this.#index.revision(stream));
    this.#heads.set(stream, revision);
    return revision;
  }

  /** The first result, where these events are already at this place; both answers rest on what is flushed. */
  async #repeated(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    await this.#ahead.get(stream)?.flush.done;
    const stored = expected + events.length <= this.#revision(stream) ? this.#log.readStream(stream, expected + 1) : [];
    const last = stored[events.length - 1];
    if (last !== undefined && events.every((event, index) => event.id === stored[index]?.id)) {
      return { revision: last.revision, position: last.position };
    }
    throw new WrongExpectedRevision(stream, expected, this.#revision(stream));
  }

  #pack(stream: string, expected: number, events: readonly EventToAppend[]): PackedEvent[] {
    try {
      return events.map((event, index) => {
        const revision = expected + 1 + index;
        const position = BigInt(this.#position + 1 + index);
        return { stream, revision, bytes: this.#packer.pack(event, stream, revision, position) };
      });
    } catch (error) {
      throw error instanceof StructuresNotStored ? this.#fail(error.cause) : error;
    }
  }

  #gather(): Flush {
    if (this.#gathering !== undefined) return this.#gathering;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    this.#gathering = { first: this.#position + 1, events: [], done: promise, resolve, reject };
    this.#flushing ??= this.#flushAll();
    return this.#gathering;
  }

  async #flushAll(): Promise<void> {
    while (this.#gathering !== undefined) {
      // Requests that came in together are answered in one turn of the event loop: let all of them append first.
      await new Promise(setImmediate);
      const flush = this.#gathering;
      this.#gathering = undefined;
      await this.#flush(flush);
    }
    this.#flushing = undefined;
  }

  async #flush(flush: Flush): Promise<void> {
    if (this.#unavailable?.outcomeUnknown) return flush.reject(this.#unavailable);
    try {
      const { first, events } = flush;
      await writeEvents(this.#environment, this.#databases, this.#index, first, events, this.#packer.structures);
    } catch (error) {
      return flush.reject(this.#fail(await causeOfWriteFailure(error)));
    }
    for (const { stream } of flush.events) {
      const ahead = this.#ahead.get(stream);
      if (ahead?.flush !== flush) continue;
      this.#heads.set(stream, ahead.revision);
      this.#ahead.delete(stream);
    }
    flush.resolve();
    this.#wakeUp.notify();
  }

  /** Spares the next start to read the end of the log; nothing depends on it. */
  async #flushIndex(): Promise<void> {
    if (this.#unavailable?.outcomeUnknown) return;
    try {
      await writeIndex(this.#environment, this.#index);
    } catch (error) {
      this.#fail(await causeOfWriteFailure(error));
    }
  }

  #fail(cause: unknown): EventStoreUnavailable {
    const message = `the event log could not be written (${codeOf(cause)}): free space or mend the disk, then restart`;
    this.#unavailable = new EventStoreUnavailable(message, { outcomeUnknown: true, cause });
    this.#onFatal(this.#unavailable);
    return this.#unavailable;
  }
}
