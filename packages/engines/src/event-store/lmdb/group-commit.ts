import type { Environment } from "../../lmdb/index.ts";
import { encodeCommit } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";
import type { StreamIndex, StreamRevision } from "./stream-index.ts";

export interface PackedEvent extends StreamRevision {
  readonly bytes: Buffer;
}

/** Bytes at which a record is closed, so that reading one event of it stays cheap. */
const RECORD_SIZE = 64 * 1024;

/**
 * Stores events, the first at position `first`; call it within a transaction. With them goes the pending part of the
 * stream index, if that is due. Call the result when the transaction is flushed.
 */
export function writeEvents(
  databases: EventDatabases,
  index: StreamIndex,
  first: number,
  events: readonly PackedEvent[],
  structures: number,
): () => void {
  const ends = recordEnds(events);
  const indexed = index.isFlushDue ? index.storeTail() : undefined;
  forEachRecord(ends, (start, end) => {
    void databases.commits.put(first + start, encodeCommit(events, start, end, structures));
  });
  return () => {
    if (indexed !== undefined) index.markStored(indexed);
    forEachRecord(ends, (start, end) => index.addRecord(first + start, events, start, end));
  };
}

/** Stores the pending part of the stream index. Resolves when it is flushed. */
export async function writeIndex({ writes }: Environment, index: StreamIndex): Promise<void> {
  if (index.isComplete) return;
  let indexed = 0;
  await writes.commit(() => {
    indexed = index.storeTail();
  });
  index.markStored(indexed);
}

function recordEnds(events: readonly PackedEvent[]): number[] {
  const ends: number[] = [];
  let size = 0;
  for (const [at, { bytes }] of events.entries()) {
    size += bytes.length;
    if (size < RECORD_SIZE && at < events.length - 1) continue;
    ends.push(at + 1);
    size = 0;
  }
  return ends;
}

function forEachRecord(ends: readonly number[], visit: (start: number, end: number) => void): void {
  let start = 0;
  for (const end of ends) {
    visit(start, end);
    start = end;
  }
}
