import { DamagedStore, translateReadErrors } from "../../lmdb/index.ts";
import { NO_STREAM, type RecordedEvent } from "../port.ts";
import { CommitRecord } from "./commit-record.ts";
import {
  decodeEntry,
  type EventDatabases,
  encodeEntry,
  loadIndexMarker,
  nextRevision,
  putIndexMarker,
  type StreamIndexEntry,
} from "./databases.ts";

const NAME = "event log";

/**
 * Number of events that the stored index may lack. They are read from the log when the store is opened. A larger number
 * would save little, and storing the events would block the thread and the flush for longer.
 */
const MAX_UNINDEXED = 1_024;

/** Events per turn of the event loop: some milliseconds of reading. */
const READ_IN_ONE_TURN = 500;
/** A turn also ends after so many bytes, because 500 events may have several megabytes. */
const BYTES_IN_ONE_TURN = 262_144;

/**
 * Finds the events of a stream, in the thread that writes them. The stored index lags behind the log, because each
 * stream costs a flush one page, and many entries at once share pages and flushes. The missing entries are in memory.
 */
export class StreamIndex {
  readonly #databases: EventDatabases;
  /** Entries that the stored index lacks; of each stream, oldest first. */
  #tail = new Map<string, StreamIndexEntry[]>();
  /** The stored index has all events up to this position. */
  #indexed: number;
  /** The position after the last known event. */
  #next: number;

  /** @throws DamagedStore */
  constructor(databases: EventDatabases) {
    this.#databases = databases;
    this.#indexed = loadIndexMarker(databases);
    this.#next = this.#indexed + 1;
    if (this.#indexed === 0) return;
    const [last] = databases.commits.getRange({ start: this.#indexed, reverse: true, limit: 1 });
    if (last === undefined || new CommitRecord(last.key, last.value).next !== this.#next)
      throw new DamagedStore(NAME, `streams are indexed up to position ${this.#indexed}, where no record ends`);
  }

  /** Number of events that the stored index lacks. */
  get unindexed(): number {
    return this.#next - 1 - this.#indexed;
  }

  /** True if enough entries are missing to store them. */
  get isDue(): boolean {
    return this.unindexed >= MAX_UNINDEXED;
  }

  /**
   * Reads the events that the stored index lacks from the log. Stores them part by part, to bound memory.
   * @throws DamagedStore
   */
  catchUp(transaction: (write: () => void) => void): void {
    this.#readTail();
    while (this.isDue) {
      transaction(() => this.store());
      this.onStored();
      this.#readTail();
    }
  }

  /** Adds the events of the next record of the log, once it is flushed. */
  add(commit: number, events: readonly Pick<RecordedEvent, "stream" | "revision">[]): void {
    for (const [index, { stream, revision }] of events.entries()) {
      const entries = this.#tail.get(stream) ?? [];
      if (entries.length === 0) this.#tail.set(stream, entries);
      const last = entries.at(-1);
      if (last?.commit === commit) last.indexes.push(index);
      else entries.push({ revision, commit, indexes: [index] });
    }
    this.#next = commit + events.length;
  }

  /** Stores the missing entries within a transaction. Call `onStored` when that is flushed, before `add`. */
  store(): void {
    for (const [stream, entries] of this.#tail) {
      for (const entry of entries) void this.#databases.streams.put([stream, entry.revision], encodeEntry(entry));
    }
    putIndexMarker(this.#databases, this.#next - 1);
  }

  onStored(): void {
    this.#databases.streams.resetReadTxn();
    this.#tail = new Map();
    this.#indexed = this.#next - 1;
  }

  /** Revision of the last event of a stream; `NO_STREAM` for an unknown stream. @throws DamagedStore */
  revision(stream: string): number {
    return translateReadErrors(NAME, () => {
      const last = this.#tail.get(stream)?.at(-1) ?? this.#lastStored(stream);
      return last === undefined ? NO_STREAM : nextRevision(last) - 1;
    });
  }

  /**
   * At most `most` events of a stream, from `fromRevision` on. Many or large ones are read in several turns of the event
   * loop.
   * @throws DamagedStore
   */
  async readStream(stream: string, fromRevision: number, most = Number.POSITIVE_INFINITY): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const next = fromRevision + events.length;
      const wanted = Math.min(most - events.length, READ_IN_ONE_TURN);
      const turn = translateReadErrors(NAME, () => this.#readOneTurn(stream, next, wanted));
      events.push(...turn.events);
      if (turn.isLast || events.length === most) return events;
      await new Promise(setImmediate);
    }
  }

  #readTail(): void {
    for (const { key, value } of this.#databases.commits.getRange({ start: this.#next })) {
      if (this.isDue) return;
      if (key !== this.#next) throw new DamagedStore(NAME, `position ${this.#next} is missing`);
      this.add(key, new CommitRecord(key, value).events());
    }
  }

  #lastStored(stream: string): StreamIndexEntry | undefined {
    const { streams } = this.#databases;
    // Most streams that are not in memory are new, and this is the cheapest check.
    return streams.doesExist([stream, 0]) ? this.#entryAt(stream, Number.MAX_SAFE_INTEGER) : undefined;
  }

  /** The stored entry that begins with this revision, or else the last one before it. */
  #entryAt(stream: string, revision: number): StreamIndexEntry | undefined {
    const [start, end] = [[stream, revision] as [string, number], [stream, NO_STREAM] as [string, number]];
    const [last] = this.#databases.streams.getRange({ start, end, reverse: true, limit: 1 });
    return last && decodeEntry(last.key[1], last.value);
  }

  /** `isLast`: the stream has no events after these. */
  #readOneTurn(stream: string, fromRevision: number, most: number): { events: RecordedEvent[]; isLast: boolean } {
    // LMDB would go on reading from an older snapshot.
    this.#databases.commits.resetReadTxn();
    const events: RecordedEvent[] = [];
    let bytes = 0;
    for (const entry of this.#entries(stream, fromRevision)) {
      const { revision, commit, indexes } = entry;
      // Entries in memory may just have been stored.
      if (nextRevision(entry) <= fromRevision + events.length) continue;
      const record = this.#openAt(commit, stream, revision);
      for (const [at, index] of indexes.entries()) {
        if (events.length === most || bytes >= BYTES_IN_ONE_TURN) return { events, isLast: false };
        const wanted = fromRevision + events.length;
        if (revision + at < wanted) continue;
        const event = record.event(index);
        if (event.stream !== stream || event.revision !== wanted) throw damagedStream(stream, wanted);
        events.push(event);
        bytes += record.bytesOf(index);
      }
    }
    return { events, isLast: true };
  }

  /** The record is valid until the next one is opened, because its bytes are in LMDB's buffer. */
  #openAt(commit: number, stream: string, revision: number): CommitRecord {
    const bytes = this.#databases.commits.getBinaryFast(commit);
    if (bytes === undefined) throw damagedStream(stream, revision);
    return new CommitRecord(commit, bytes);
  }

  /** All entries of a stream with events from `fromRevision` on. */
  *#entries(stream: string, fromRevision: number): Generator<StreamIndexEntry> {
    const { streams } = this.#databases;
    // An entry starts at its first event. If the revision is inside an entry, reading starts at that one.
    const first = fromRevision === 0 ? 0 : (this.#entryAt(stream, fromRevision)?.revision ?? fromRevision);
    const stored = streams.getRange({ start: [stream, first], end: [stream, Number.MAX_SAFE_INTEGER] });
    for (const { key, value } of stored) yield decodeEntry(key[1], value);
    yield* this.#tail.get(stream) ?? [];
  }
}

function damagedStream(stream: string, revision: number): DamagedStore {
  return new DamagedStore(NAME, `revision ${revision} of stream ${stream} is not where its index says`);
}
