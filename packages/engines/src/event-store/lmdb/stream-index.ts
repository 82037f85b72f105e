import { DamagedStore } from "../../lmdb/index.ts";
import { NO_STREAM } from "../port.ts";
import { CommitRecord } from "./commit.ts";
import {
  decodeLocation,
  type EventDatabases,
  encodeLocation,
  eventCount,
  loadIndexMarker,
  nextRevision,
  putIndexMarker,
  type StreamIndexEntry,
} from "./databases.ts";
import type { EventUnpacker } from "./event-codec.ts";

/**
 * Events that may be missing in the stored index, and some of one flush. Opening the store, or a reader's first look,
 * reads so many; more would save little, and storing them would hold up the thread and the flush for longer.
 */
const MAX_UNINDEXED = 1_024;

/**
 * Finds the events of a stream, in any thread. The stored index follows the log at a distance, because an entry costs
 * a flush a page for each stream: many entries at once share pages and flushes. The rest is kept in memory.
 */
export class StreamIndex {
  readonly #databases: EventDatabases;
  readonly #unpacker: EventUnpacker;
  readonly #tail = new UnindexedTail();

  constructor(databases: EventDatabases, unpacker: EventUnpacker) {
    this.#databases = databases;
    this.#unpacker = unpacker;
  }

  /** Enough has come together to store it. */
  get isFlushDue(): boolean {
    return this.#tail.length >= MAX_UNINDEXED;
  }

  /** All that this thread knows of is stored. */
  get isComplete(): boolean {
    return this.#tail.length === 0;
  }

  /**
   * Takes in what the log holds and the stored index does not, as of the present snapshot: `most` events or a few more.
   * @throws DamagedStore
   */
  catchUp(most = Number.POSITIVE_INFINITY): void {
    const tail = this.#tail;
    const indexed = loadIndexMarker(this.#databases);
    if (indexed !== tail.indexed) this.#restart(indexed);
    for (const { key, value } of this.#databases.commits.getRange({ start: tail.next })) {
      if (tail.length >= most) return;
      if (key !== tail.next) throw new DamagedStore("event log", `position ${tail.next} is missing`);
      const events = new CommitRecord(key, value, this.#unpacker).events();
      tail.add(events, 0, events.length);
    }
  }

  /** Catches up, storing what comes together on the way: a part at a time, so that memory for one part will do. */
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

  /** What this thread itself has flushed: the events from `start` to before `end` as one record at `commit`. */
  addRecord(commit: number, events: readonly StreamRevision[], start: number, end: number): void {
    // A reader of this thread may have come across the record before the flush was reported.
    if (commit === this.#tail.next) this.#tail.add(events, start, end);
  }

  /** Puts all that is not stored yet. To be called within a transaction. Returns how far the stored index goes then. */
  storeTail(): number {
    const { streams } = this.#databases;
    for (const [stream, entries] of this.#tail.entries()) {
      for (const { revision, location } of entries) void streams.put([stream, revision], encodeLocation(location));
    }
    const indexed = this.#tail.next - 1;
    putIndexMarker(this.#databases, indexed);
    return indexed;
  }

  /** What `put` has put is flushed. */
  markStored(indexed: number): void {
    if (indexed === this.#tail.indexed) return;
    this.#databases.streams.resetReadTxn();
    this.#tail.reset(indexed);
  }

  /** Revision of the last event of a stream, as of the last `catchUp` or `add`; `NO_STREAM` where there is none. */
  revision(stream: string): number {
    const unindexed = this.#tail.of(stream).at(-1);
    if (unindexed !== undefined) return nextRevision(unindexed) - 1;
    const { streams } = this.#databases;
    // Most streams that are not known in memory are new, and this is the cheapest way to see it.
    if (!streams.doesExist([stream, 0])) return NO_STREAM;
    const last = streams.getRange({ ...backwards(stream, Number.MAX_SAFE_INTEGER), limit: 1 });
    for (const { key, value } of last) return key[1] + eventCount(value) - 1;
    return NO_STREAM;
  }

  /** All entries of a stream that hold `fromRevision` or a later one, as of the last `catchUp`. */
  *entries(stream: string, fromRevision: number): Generator<StreamIndexEntry> {
    const unindexed = this.#tail.of(stream);
    // What is in memory may have come to the disk since: one of the two is enough.
    const end = unindexed[0]?.revision ?? Number.MAX_SAFE_INTEGER;
    if (fromRevision < end) yield* this.#stored(stream, fromRevision, end);
    for (const entry of unindexed) if (nextRevision(entry) > fromRevision) yield entry;
  }

  *#stored(stream: string, fromRevision: number, end: number): Generator<StreamIndexEntry> {
    const { streams } = this.#databases;
    let first = fromRevision;
    for (const key of streams.getKeys({ ...backwards(stream, fromRevision), limit: 1 })) first = key[1];
    for (const { key, value } of streams.getRange({ start: [stream, first], end: [stream, end] })) {
      yield { revision: key[1], location: decodeLocation(value) };
    }
  }

  #restart(indexed: number): void {
    const [last] = this.#databases.commits.getRange({ start: indexed, reverse: true, limit: 1 });
    if (last === undefined || new CommitRecord(last.key, last.value, this.#unpacker).next !== indexed + 1) {
      throw new DamagedStore("event log", `streams are indexed up to position ${indexed}, where no record ends`);
    }
    this.#tail.reset(indexed);
  }
}

function backwards(stream: string, revision: number) {
  return { start: [stream, revision] as [string, number], end: [stream, NO_STREAM] as [string, number], reverse: true };
}

/** What identifies an event in its stream. */
export interface StreamRevision {
  readonly stream: string;
  readonly revision: number;
}

interface MutableEntry extends StreamIndexEntry {
  readonly location: { readonly commit: number; readonly indexes: number[] };
}

/** Where the events at the end of the log are that the stored index does not speak of yet. */
class UnindexedTail {
  #streams = new Map<string, MutableEntry[]>();
  #indexed = 0;
  #next = 1;

  /** The stored index speaks of all events up to this position. */
  get indexed(): number {
    return this.#indexed;
  }

  /** The position behind the last event known here. */
  get next(): number {
    return this.#next;
  }

  /** Number of events. */
  get length(): number {
    return this.#next - 1 - this.#indexed;
  }

  /** Forgets all: the stored index is complete up to this position. */
  reset(indexed: number): void {
    this.#streams = new Map();
    this.#indexed = indexed;
    this.#next = indexed + 1;
  }

  /** The next record of the log: its events are those in `events` from `start` to before `end`. */
  add(events: readonly StreamRevision[], start: number, end: number): void {
    const commit = this.#next;
    for (let at = start; at < end; at++) {
      const event = events[at];
      if (event !== undefined) this.#addEvent(event, commit, at - start);
    }
    this.#next += end - start;
  }

  #addEvent({ stream, revision }: StreamRevision, commit: number, index: number): void {
    const entries = this.#streams.get(stream);
    const last = entries?.at(-1);
    if (last?.location.commit === commit) return void last.location.indexes.push(index);
    const entry = { revision, location: { commit, indexes: [index] } };
    if (entries === undefined) this.#streams.set(stream, [entry]);
    else entries.push(entry);
  }

  /** Oldest first. */
  of(stream: string): readonly StreamIndexEntry[] {
    return this.#streams.get(stream) ?? [];
  }

  entries(): Iterable<readonly [stream: string, entries: readonly StreamIndexEntry[]]> {
    return this.#streams;
  }
}
