import type { Environment } from "@travel-booking/lmdb-environment";
import { encodeCommit } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";
import { encodePlace } from "./stream-index.ts";

/** A packed event with its place in its stream. */
export interface PackedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly bytes: Buffer;
}

/** A record is closed at this size, so that reading one event out of it stays cheap. In bytes. */
const RECORD_SIZE = 64 * 1024;

/**
 * Stores events, the first of them at position `first`, in one transaction: all or none. Resolves when they are
 * flushed.
 */
export async function writeEvents(
  environment: Environment,
  databases: EventDatabases,
  first: number,
  events: readonly PackedEvent[],
  structures: number,
): Promise<void> {
  await environment.root.batch(() => {
    for (let start = 0; start < events.length; ) {
      const end = endOfRecord(events, start);
      writeRecord(databases, first + start, events.slice(start, end), structures);
      start = end;
    }
  });
}

function endOfRecord(events: readonly PackedEvent[], start: number): number {
  let end = start;
  for (let size = 0; end < events.length && size < RECORD_SIZE; end++) size += events[end]?.bytes.length ?? 0;
  return end;
}

function writeRecord(databases: EventDatabases, commit: number, events: readonly PackedEvent[], structures: number) {
  const record = encodeCommit(
    events.map((event) => event.bytes),
    structures,
  );
  void databases.commits.put(commit, record);
  for (const [stream, { revision, indexes }] of byStream(events)) {
    void databases.streams.put([stream, revision], encodePlace({ commit, indexes }));
  }
}

function byStream(
  events: readonly PackedEvent[],
): Map<string, { readonly revision: number; readonly indexes: number[] }> {
  const places = new Map<string, { readonly revision: number; readonly indexes: number[] }>();
  for (const [index, { stream, revision }] of events.entries()) {
    const place = places.get(stream);
    if (place === undefined) places.set(stream, { revision, indexes: [index] });
    else place.indexes.push(index);
  }
  return places;
}
