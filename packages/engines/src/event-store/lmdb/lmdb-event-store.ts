import { RecentMap } from "@travel-booking/runtime/recent-map";
import { noRoom } from "../../disk-space/index.ts";
import { codeOf, type Environment, toStorageError } from "../../lmdb/index.ts";
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
import { CommitBuilder } from "./commit-record.ts";
import { openEventDatabases } from "./databases.ts";
import { EventLog } from "./event-log.ts";
import { StreamIndex } from "./stream-index.ts";

export { LMDB_EVENT_STORE_DATABASES } from "./databases.ts";

interface LmdbEventStoreOptions {
  /** Notified after each flush. Share its buffer with readers in other threads. */
  readonly appendNotifier?: AppendNotifier;
  readonly upcast?: Upcast;
  /**
   * Called when a flush has failed. Pending appends may or may not be stored, and no append is accepted any more. End
   * the process; a restart finds out what is stored.
   */
  readonly onFatal: (error: Error) => void;
}

/**
 * The log on LMDB. This process is its only writer. Appends that arrive during a flush share the next one.
 * @throws StorageError the log is damaged, or its index is behind and can't be written.
 */
export function openLmdbEventStore(environment: Environment, options: LmdbEventStoreOptions): EventStore {
  try {
    return new LmdbEventStore(environment, options);
  } catch (error) {
    throw toStorageError(environment.path, error);
  }
}

const MAX_RECENT_HEADS = 50_000;
/** Characters at which a record is closed, so that reading one of its events stays cheap. */
const RECORD_SIZE = 64 * 1_024;

class LmdbEventStore extends EventLog implements EventStore {
  readonly singleWriter = true;
  readonly #environment: Environment;
  readonly #index: StreamIndex;
  readonly #onFatal: (error: Error) => void;
  /**
   * The last revisions of streams used lately, including unflushed appends; `NO_STREAM` for a stream without events.
   * The map is trimmed only after a flush or between flushes. The first trim keeps the streams that are not flushed
   * yet; by the next they are.
   */
  readonly #heads = new RecentMap<number>(MAX_RECENT_HEADS);
  readonly #closing = new AbortController();
  /** Position of the last appended event, flushed or not. */
  #position: number;
  /** The records of the next flush, in the order of positions. */
  #records: CommitBuilder[] = [];
  /** The flush that the next appends join. */
  #nextFlush: Promise<void> | undefined;
  /** The last flush, which never rejects; undefined when all are done. */
  #flushing: Promise<void> | undefined;
  #unavailable: EventStoreUnavailable | undefined;

  constructor(environment: Environment, options: LmdbEventStoreOptions) {
    super(openEventDatabases(environment), options.appendNotifier ?? new AppendNotifier(), options.upcast);
    this.#environment = environment;
    this.#onFatal = options.onFatal;
    this.#position = this.lastPosition();
    this.#index = new StreamIndex(this.databases);
    this.#index.catchUp((write) => environment.root.transactionSync(write));
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
    const last = this.#records.at(-1);
    const record = last === undefined || last.size >= RECORD_SIZE ? new CommitBuilder(this.#position + 1) : last;
    record.add(stream, expectedRevision + 1, events);
    if (record !== last) this.#records.push(record);
    this.#position = record.next - 1;
    const flushed = this.#nextFlush ?? this.#begin();
    const result = { revision: expectedRevision + events.length, position: BigInt(this.#position) };
    this.#heads.set(stream, result.revision);
    onOrdered?.(result);
    await flushed;
    return result;
  }

  async readStream(stream: string, fromRevision = 0, most?: number): Promise<readonly RecordedEvent[]> {
    const known = this.#heads.get(stream);
    if (known !== undefined && known < fromRevision) return [];
    const position = this.#position;
    const events = await this.#index.readStream(stream, fromRevision, most);
    // Events appended meanwhile are not in what was read.
    if (known === undefined && position === this.#position && events.length !== most)
      this.#rememberRead(stream, fromRevision, events.at(-1));
    return this.upcast === undefined ? events : events.map(this.upcast);
  }

  override subscribe(options: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    return super.subscribe({ ...options, signal: AbortSignal.any([options.signal, this.#closing.signal]) });
  }

  async close(): Promise<void> {
    this.#unavailable ??= new EventStoreUnavailable("the event store is closed", { outcomeUnknown: false });
    await this.#flushing;
    const takesWrites = !this.#unavailable.outcomeUnknown && this.#environment.disk?.takesWrites !== false;
    // Saves the next start from reading the end of the log. Nothing depends on it.
    if (takesWrites && this.#index.unindexed > 0) await this.#flush(true).catch(() => undefined);
    this.#closing.abort();
  }

  /** Includes appends that are not flushed yet. */
  #revision(stream: string): number {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    const revision = this.#index.revision(stream);
    this.#heads.set(stream, revision);
    return revision;
  }

  /** A stream without a remembered head has no unflushed appends, so its last read event is its head. */
  #rememberRead(stream: string, fromRevision: number, last: RecordedEvent | undefined): void {
    if (last !== undefined) this.#heads.set(stream, last.revision);
    else if (fromRevision === 0) this.#heads.set(stream, NO_STREAM);
    if (this.#flushing === undefined) this.#heads.trim();
  }

  /** The first result, if these events are already stored at this revision. Depends on flushed events only. */
  async #idempotentResult(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    await this.#flushing;
    if (this.#unavailable?.outcomeUnknown) throw this.#unavailable;
    const isStored = expected + events.length <= this.#revision(stream);
    const stored = isStored ? await this.#index.readStream(stream, expected + 1, events.length) : [];
    const last = stored[events.length - 1];
    if (last !== undefined && events.every((event, index) => event.id === stored[index]?.id)) {
      return { revision: last.revision, position: last.position };
    }
    throw new WrongExpectedRevision(stream, expected, this.#revision(stream));
  }

  /** Begins a flush. Its place among all writes is that of its first append. */
  #begin(): Promise<void> {
    this.#nextFlush = this.#flush();
    // Callers handle a failure where they wait.
    this.#flushing = this.#nextFlush.catch(() => undefined);
    return this.#nextFlush;
  }

  async #flush(storesIndex = false): Promise<void> {
    const index = this.#index;
    let records: readonly CommitBuilder[] = [];
    try {
      await this.#environment.writes.commit(() => {
        records = this.#records;
        this.#records = [];
        this.#nextFlush = undefined;
        storesIndex ||= index.isDue;
        if (storesIndex) index.store();
        for (const record of records) void this.databases.commits.put(record.first, record.encode());
      });
    } catch (error) {
      throw this.#fail(error);
    }
    if (this.#nextFlush === undefined) this.#flushing = undefined;
    if (storesIndex) index.onStored();
    for (const { first, events } of records) index.add(first, events);
    this.#heads.trim();
    this.appendNotifier.notify();
  }

  #fail(cause: unknown): EventStoreUnavailable {
    const message = `the event log could not be written (${codeOf(cause)}): free space or mend the disk, then restart`;
    this.#unavailable = new EventStoreUnavailable(message, { outcomeUnknown: true, cause });
    this.#onFatal(this.#unavailable);
    return this.#unavailable;
  }
}

/**
 * Reads the log in another thread than its writer, which must have opened the log before.
 * @param options.appendNotifier shares its buffer with the writer's.
 */
export function openLmdbEventLogReader(
  environment: Environment,
  options: { readonly appendNotifier: AppendNotifier; readonly upcast?: Upcast },
): Pick<EventStore, "subscribe" | "head" | "eventIdAt"> {
  return new EventLog(openEventDatabases(environment), options.appendNotifier, options.upcast);
}
