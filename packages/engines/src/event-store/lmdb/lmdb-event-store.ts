import { RecentMap } from "@travel-booking/runtime/recent-map";
import { noRoom } from "../../disk-space/index.ts";
import { codeOf, type Environment, toStorageError, translateReadErrors } from "../../lmdb/index.ts";
import { AppendNotifier } from "../append-notifier.ts";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
  WrongExpectedRevision,
} from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import type { CommitBuilder } from "./commit-record.ts";
import { type EventDatabases, openEventDatabases } from "./databases.ts";
import { EventLog } from "./event-log.ts";
import { addEvents, writeIndex, writeRecords } from "./group-commit.ts";
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

const MAX_RECENT_HEADS = 50_000;

/** Appends that share a flush. */
interface Flush {
  /** In the order of their positions. */
  readonly records: CommitBuilder[];
  readonly done: Promise<void>;
}

class LmdbEventStore implements EventStore {
  readonly singleWriter = true;
  readonly #environment: Environment;
  readonly #databases: EventDatabases;
  readonly #index: StreamIndex;
  readonly #log: EventLog;
  readonly #appendNotifier: AppendNotifier;
  readonly #onFatal: (error: Error) => void;
  /**
   * The last revisions of streams used lately, as of the last append, flushed or not; `NO_STREAM` for one without
   * events. It is trimmed only after a flush or between flushes: the first trim keeps what is not flushed yet, and by
   * the next one it is.
   */
  readonly #heads = new RecentMap<number>(MAX_RECENT_HEADS);
  readonly #closing = new AbortController();
  /** Of the last event that was appended, flushed or not. */
  #position: number;
  /** What is appended now joins it. */
  #nextFlush: Flush | undefined;
  /** The last flush, which never rejects; undefined when all are done. */
  #flushing: Promise<void> | undefined;
  #unavailable: EventStoreUnavailable | undefined;

  constructor(environment: Environment, options: LmdbEventStoreOptions) {
    this.#environment = environment;
    this.#databases = openEventDatabases(environment);
    this.#appendNotifier = options.appendNotifier ?? new AppendNotifier();
    this.#index = new StreamIndex(this.#databases);
    this.#log = new EventLog(this.#databases, this.#index, this.#appendNotifier, options.upcast);
    this.#onFatal = options.onFatal;
    this.#position = this.#log.lastPosition();
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
    if (this.#environment.disk?.takesWrites === false) throw noRoom(EventStoreUnavailable);
    const records = this.#nextFlush?.records ?? [];
    this.#position = addEvents(records, this.#position + 1, stream, expectedRevision + 1, events);
    const { done } = this.#nextFlush ?? this.#begin(records);
    const result = { revision: expectedRevision + events.length, position: BigInt(this.#position) };
    this.#heads.set(stream, result.revision);
    onOrdered?.(result);
    await done;
    return result;
  }

  async readStream(stream: string, fromRevision = 0): Promise<readonly RecordedEvent[]> {
    const known = this.#heads.get(stream);
    if (known !== undefined && known < fromRevision) return [];
    const position = this.#position;
    const events = await this.#log.readStream(stream, fromRevision);
    // What is appended meanwhile may be behind what was read.
    if (known === undefined && position === this.#position) this.#rememberRead(stream, fromRevision, events.at(-1));
    return events;
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#log.subscribe({ ...options, signal: AbortSignal.any([options.signal, this.#closing.signal]) });
  }

  head(): Promise<bigint> {
    return this.#log.head();
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#log.eventIdAt(position);
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
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    const revision = translateReadErrors("event log", () => this.#index.revision(stream));
    this.#heads.set(stream, revision);
    return revision;
  }

  /** A stream whose head is not remembered has no appends that are not flushed: its head is what was read. */
  #rememberRead(stream: string, fromRevision: number, last: RecordedEvent | undefined): void {
    if (last !== undefined) this.#heads.set(stream, last.revision);
    else if (fromRevision === 0) this.#heads.set(stream, NO_STREAM);
    if (this.#flushing === undefined) this.#heads.trim();
  }

  /**
   * The first result, if these events are stored at this revision already. Both answers depend only on flushed events.
   */
  async #idempotentResult(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    await this.#flushing;
    if (this.#unavailable?.outcomeUnknown) throw this.#unavailable;
    const isStored = expected + events.length <= this.#revision(stream);
    const stored = isStored ? await this.#log.readStream(stream, expected + 1) : [];
    const last = stored[events.length - 1];
    if (last !== undefined && events.every((event, index) => event.id === stored[index]?.id)) {
      return { revision: last.revision, position: last.position };
    }
    throw new WrongExpectedRevision(stream, expected, this.#revision(stream));
  }

  /** Its place among all writes is that of its first append. */
  #begin(records: CommitBuilder[]): Flush {
    const done = this.#flush(records);
    // Callers handle it where they wait.
    this.#flushing = done.catch(() => undefined);
    this.#nextFlush = { records, done };
    return this.#nextFlush;
  }

  async #flush(records: readonly CommitBuilder[]): Promise<void> {
    let markStored = () => {};
    try {
      await this.#environment.writes.commit(() => {
        this.#nextFlush = undefined;
        markStored = writeRecords(this.#databases, this.#index, records);
      });
    } catch (error) {
      throw this.#fail(error);
    }
    if (this.#nextFlush === undefined) this.#flushing = undefined;
    markStored();
    this.#heads.trim();
    this.#appendNotifier.notify();
  }

  /** Saves the next start from reading the end of the log; nothing depends on it. */
  async #flushIndex(): Promise<void> {
    if (this.#unavailable?.outcomeUnknown || this.#environment.disk?.takesWrites === false) return;
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
type LmdbEventLogReader = Pick<EventStore, "subscribe" | "head" | "eventIdAt" | "readStream">;

/**
 * Reads the log in another thread than its writer, which must have opened it before.
 * @param options.appendNotifier shares its buffer with that of the writer.
 */
export function openLmdbEventLogReader(
  environment: Environment,
  options: { readonly appendNotifier: AppendNotifier; readonly upcast?: Upcast },
): LmdbEventLogReader {
  const databases = openEventDatabases(environment);
  return new EventLog(databases, new StreamIndex(databases), options.appendNotifier, options.upcast);
}
