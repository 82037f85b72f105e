import { LRUCache } from "lru-cache";
import { codeOf, type Environment, toStorageError, translateReadErrors } from "../../lmdb/index.ts";
import { AppendNotifier } from "../append-notifier.ts";
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
import { type EventDatabases, openEventDatabases } from "./databases.ts";
import { EventPacker, EventUnpacker, StructuresNotStored } from "./event-codec.ts";
import { EventLog } from "./event-log.ts";
import { type PackedEvent, writeEvents, writeIndex } from "./group-commit.ts";
import { StreamIndex } from "./stream-index.ts";

export { LMDB_EVENT_STORE_DATABASES } from "./databases.ts";

interface LmdbEventStoreOptions {
  /** Notified after each flush. Share its buffer with readers in other threads. */
  readonly appendNotifier?: AppendNotifier;
  readonly upcast?: Upcast;
  /**
   * A flush has failed: pending appends may or may not be stored, and no append is accepted any more. End the process;
   * a restart finds what is stored.
   */
  readonly onFatal: (error: Error) => void;
}

/**
 * The log on LMDB. This process is its only writer. Appends that arrive during a flush share the next one.
 * @throws StorageError damaged, or its index is behind and can't be written.
 */
export function openLmdbEventStore(environment: Environment, options: LmdbEventStoreOptions): EventStore {
  return new LmdbEventStore(environment, options);
}

interface FlushBatch {
  readonly first: number;
  readonly events: PackedEvent[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The revision of a stream with appends that are not flushed yet. */
interface UnflushedHead {
  readonly revision: number;
  readonly flush: FlushBatch;
}

const MAX_CACHED_STREAMS = 100_000;

class LmdbEventStore implements EventStore {
  readonly singleWriter = true;
  readonly #environment: Environment;
  readonly #databases: EventDatabases;
  readonly #packer: EventPacker;
  readonly #index: StreamIndex;
  readonly #log: EventLog;
  readonly #appendNotifier: AppendNotifier;
  readonly #onFatal: (error: Error) => void;
  /** The last flushed revisions of the streams asked for lately. */
  readonly #cachedRevisions = new LRUCache<string, number>({ max: MAX_CACHED_STREAMS });
  readonly #unflushedHeads = new Map<string, UnflushedHead>();
  readonly #closing = new AbortController();
  #position: number;
  #nextFlush: FlushBatch | undefined;
  /** The last flush. */
  #flushing: Promise<void> | undefined;
  #unavailable: EventStoreUnavailable | undefined;

  constructor(environment: Environment, options: LmdbEventStoreOptions) {
    this.#environment = environment;
    this.#databases = openEventDatabases(environment);
    this.#packer = new EventPacker(this.#databases);
    this.#appendNotifier = options.appendNotifier ?? new AppendNotifier();
    const unpacker = new EventUnpacker(this.#databases);
    this.#index = new StreamIndex(this.#databases, unpacker);
    this.#log = new EventLog(this.#databases, unpacker, this.#index, this.#appendNotifier, options.upcast);
    this.#onFatal = options.onFatal;
    this.#position = this.#log.head();
    this.#completeIndex();
  }

  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    if (events.length === 0) throw new RangeError("nothing to append");
    if (expectedRevision !== this.#revision(stream)) return this.#idempotentResult(stream, expectedRevision, events);
    const packed = this.#pack(stream, expectedRevision, events);
    const flush = this.#openFlush();
    flush.events.push(...packed);
    this.#position += events.length;
    const result = { revision: expectedRevision + events.length, position: BigInt(this.#position) };
    this.#unflushedHeads.set(stream, { revision: result.revision, flush });
    onOrdered?.(result);
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
    await this.#flushing;
    await this.#flushIndex();
    this.#closing.abort();
  }

  #completeIndex(): void {
    const { path, root } = this.#environment;
    try {
      this.#index.catchUpAndStore((write) => root.transactionSync(write));
    } catch (error) {
      throw toStorageError(path, error);
    }
  }

  /** Includes appends that are not flushed yet. */
  #revision(stream: string): number {
    const known = this.#unflushedHeads.get(stream)?.revision ?? this.#cachedRevisions.get(stream);
    if (known !== undefined) return known;
    const revision = translateReadErrors("event log", () => this.#index.revision(stream));
    this.#cachedRevisions.set(stream, revision);
    return revision;
  }

  /**
   * The first result, if these events are stored at this revision already. Both answers depend only on flushed events.
   */
  async #idempotentResult(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    await this.#unflushedHeads.get(stream)?.flush.done;
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

  /** The flush that is still open. Its place among all writes is that of its first append. */
  #openFlush(): FlushBatch {
    if (this.#nextFlush !== undefined) return this.#nextFlush;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    this.#nextFlush = { first: this.#position + 1, events: [], done: promise, resolve, reject };
    this.#flushing = this.#flush(this.#nextFlush);
    return this.#nextFlush;
  }

  async #flush(flush: FlushBatch): Promise<void> {
    let onFlushed = () => {};
    try {
      await this.#environment.writes.commit(() => {
        this.#nextFlush = undefined;
        const { first, events } = flush;
        onFlushed = writeEvents(this.#databases, this.#index, first, events, this.#packer.structures);
      });
    } catch (error) {
      return flush.reject(this.#fail(error));
    }
    onFlushed();
    for (const { stream } of flush.events) {
      const ahead = this.#unflushedHeads.get(stream);
      if (ahead?.flush !== flush) continue;
      this.#cachedRevisions.set(stream, ahead.revision);
      this.#unflushedHeads.delete(stream);
    }
    flush.resolve();
    this.#appendNotifier.notify();
  }

  /** Saves the next start from reading the end of the log; nothing depends on it. */
  async #flushIndex(): Promise<void> {
    if (this.#unavailable?.outcomeUnknown) return;
    try {
      await writeIndex(this.#environment, this.#index);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(cause: unknown): EventStoreUnavailable {
    const message = `the event log could not be written (${codeOf(cause)}): free space or mend the disk, then restart`;
    this.#unavailable = new EventStoreUnavailable(message, { outcomeUnknown: true, cause });
    this.#onFatal(this.#unavailable);
    return this.#unavailable;
  }
}

/** The read side, for threads that never append. */
type LmdbEventLogReader = Pick<EventStore, "subscribe" | "head" | "readStream">;

/**
 * Reads the log in another thread than its writer, which must have opened it before.
 * @param options.appendNotifier shares its buffer with that of the writer.
 */
export function openLmdbEventLogReader(
  environment: Environment,
  options: { readonly appendNotifier: AppendNotifier; readonly upcast?: Upcast },
): LmdbEventLogReader {
  const databases = openEventDatabases(environment);
  const unpacker = new EventUnpacker(databases);
  const index = new StreamIndex(databases, unpacker);
  const log = new EventLog(databases, unpacker, index, options.appendNotifier, options.upcast);
  return {
    subscribe: (subscription) => log.subscribe(subscription),
    head: async () => BigInt(log.head()),
    readStream: async (stream, fromRevision = 0) => log.readStream(stream, fromRevision),
  };
}
