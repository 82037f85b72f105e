import type { StreamIndexEntry } from "./event-location.ts";

/** What identifies an event in its stream. */
export interface StreamRevision {
  readonly stream: string;
  readonly revision: number;
}

interface MutableEntry extends StreamIndexEntry {
  readonly location: { readonly commit: number; readonly indexes: number[] };
}

/** Where the events at the end of the log are that the stored index does not speak of yet. */
export class UnindexedTail {
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
