import { DamagedStore } from "../../lmdb/index.ts";
import { NO_STREAM } from "../port.ts";
import { type AppendedRun, type CommitBuilder, CommitRecord } from "./commit-record.ts";
import {
  decodeEntry,
  type EventDatabases,
  encodeEntry,
  eventCount,
  loadIndexMarker,
  nextRevision,
  putIndexMarker,
  type StreamIndexEntry,
} from "./databases.ts";

/**
 * Events that may be missing in the stored index. Opening the store, or the first read of a thread, reads so many from
 * the log; more would save little, and storing them would block the thread and the flush for longer.
 */
const MAX_UNINDEXED = 1_024;

/**
 * Finds the events of a stream, in any thread. The stored index lags behind the log, because each stream costs a flush
 * one page: many entries at once share pages and flushes. The rest is in memory.
 */
export class StreamIndex {
  readonly #databases: EventDatabases;
  readonly #tail = new UnindexedTail();

  constructor(databases: EventDatabases) {
    this.#databases = databases;
  }

  /** Enough is pending to store it. */
  get isFlushDue(): boolean {
    return this.#tail.length >= MAX_UNINDEXED;
  }

  /** Nothing is pending in this thread. */
  get isComplete(): boolean {
    return this.#tail.length === 0;
  }

  /**
   * Reads what the log has and the stored index lacks, as of the present snapshot: `most` events or a few more.
   * @throws DamagedStore
   */
  catchUp(most = Number.POSITIVE_INFINITY): void {
    const tail = this.#tail;
    const indexed = loadIndexMarker(this.#databases);
    if (indexed !== tail.indexed) this.#restart(indexed);
    for (const { key, value } of this.#databases.commits.getRange({ start: tail.next })) {
      if (tail.length >= most) return;
      if (key !== tail.next) throw new DamagedStore("event log", `position ${tail.next} is missing`);
      const events = new CommitRecord(key, value).events();
      tail.add(events.map(({ stream, revision }) => ({ stream, revision, count: 1 })));
    }
  }

  /** Catches up and stores the index part by part, to bound memory. */
  catchUpAndStore(transaction: (write: () => void) => void): void {
    this.catchUp(MAX_UNINDEXED);
    while (this.isFlushDue) {
      let indexed = 0;
      transaction(() => {
        indexed = this.storeTail();
      });
      this.markStored(indexed);
      this.catchUp(MAX_UNINDEXED);
    }
  }

  /** Adds a record that this thread has flushed. */
  addRecord({ first, runs }: CommitBuilder): void {
    // A reader of this thread may have read the record before the flush was reported.
    if (first === this.#tail.next) this.#tail.add(runs);
  }

  /**
   * Stores all pending entries; call it within a transaction. Returns the position up to which the index is complete
   * then.
   */
  storeTail(): number {
    const { streams } = this.#databases;
    for (const [stream, entries] of this.#tail.entries()) {
      for (const entry of entries) void streams.put([stream, entry.revision], encodeEntry(entry));
    }
    const indexed = this.#tail.next - 1;
    putIndexMarker(this.#databases, indexed);
    return indexed;
  }

  /** Call it when what `storeTail` has written is flushed. */
  markStored(indexed: number): void {
    if (indexed === this.#tail.indexed) return;
    this.#databases.streams.resetReadTxn();
    this.#tail.reset(indexed);
  }

  /**
   * Revision of the last event of a stream, as of the last `catchUp` or `addRecord`; `NO_STREAM` for an unknown stream.
   */
  revision(stream: string): number {
    const unindexed = this.#tail.of(stream).at(-1);
    if (unindexed !== undefined) return nextRevision(unindexed) - 1;
    const { streams } = this.#databases;
    // Most streams that are not in memory are new, and this is the cheapest check.
    if (!streams.doesExist([stream, 0])) return NO_STREAM;
    const last = streams.getRange({ ...backwards(stream, Number.MAX_SAFE_INTEGER), limit: 1 });
    for (const { key, value } of last) return key[1] + eventCount(value) - 1;
    return NO_STREAM;
  }

  /** All entries of a stream with `fromRevision` or a later one, as of the last `catchUp`. */
  *entries(stream: string, fromRevision: number): Generator<StreamIndexEntry> {
    const unindexed = this.#tail.of(stream);
    // Entries in memory may be stored meanwhile: yield them once.
    const end = unindexed[0]?.revision ?? Number.MAX_SAFE_INTEGER;
    if (fromRevision < end) yield* this.#stored(stream, fromRevision, end);
    for (const entry of unindexed) if (nextRevision(entry) > fromRevision) yield entry;
  }

  *#stored(stream: string, fromRevision: number, end: number): Generator<StreamIndexEntry> {
    const { streams } = this.#databases;
    let first = fromRevision;
    // An entry begins with the first event; elsewhere an earlier one may have the event.
    if (first > 0) for (const key of streams.getKeys({ ...backwards(stream, first), limit: 1 })) first = key[1];
    for (const { key, value } of streams.getRange({ start: [stream, first], end: [stream, end] })) {
      yield decodeEntry(key[1], value);
    }
  }

  #restart(indexed: number): void {
    const [last] = this.#databases.commits.getRange({ start: indexed, reverse: true, limit: 1 });
    if (last === undefined || new CommitRecord(last.key, last.value).next !== indexed + 1) {
      throw new DamagedStore("event log", `streams are indexed up to position ${indexed}, where no record ends`);
    }
    this.#tail.reset(indexed);
  }
}

function backwards(stream: string, revision: number) {
  return { start: [stream, revision] as [string, number], end: [stream, NO_STREAM] as [string, number], reverse: true };
}

interface MutableEntry extends StreamIndexEntry {
  readonly indexes: number[];
}

/** The locations of the events at the end of the log that the stored index lacks. */
class UnindexedTail {
  #streams = new Map<string, MutableEntry[]>();
  #indexed = 0;
  #next = 1;

  /** The stored index has all events up to this position. */
  get indexed(): number {
    return this.#indexed;
  }

  /** The position after the last event known here. */
  get next(): number {
    return this.#next;
  }

  /** Number of events. */
  get length(): number {
    return this.#next - 1 - this.#indexed;
  }

  /** Clears it: the stored index is complete up to this position. */
  reset(indexed: number): void {
    this.#streams = new Map();
    this.#indexed = indexed;
    this.#next = indexed + 1;
  }

  /** The events of the next record of the log. */
  add(runs: readonly AppendedRun[]): void {
    const commit = this.#next;
    for (const { stream, revision, count } of runs) {
      const { indexes } = this.#entryOf(stream, revision, commit);
      for (let end = this.#next + count; this.#next < end; this.#next++) indexes.push(this.#next - commit);
    }
  }

  /** The entry of a stream that has a record's events, made if need be. */
  #entryOf(stream: string, revision: number, commit: number): MutableEntry {
    const entries = this.#streams.get(stream);
    const last = entries?.at(-1);
    if (last?.commit === commit) return last;
    const entry = { revision, commit, indexes: [] };
    if (entries === undefined) this.#streams.set(stream, [entry]);
    else entries.push(entry);
    return entry;
  }

  /** Oldest first. */
  of(stream: string): readonly StreamIndexEntry[] {
    return this.#streams.get(stream) ?? [];
  }

  entries(): Iterable<readonly [stream: string, entries: readonly StreamIndexEntry[]]> {
    return this.#streams;
  }
}
