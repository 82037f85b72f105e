import type { Environment } from "../../lmdb/index.ts";
import type { EventToAppend } from "../port.ts";
import { CommitBuilder } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";
import type { StreamIndex } from "./stream-index.ts";

/** Bytes at which a record is closed, so that reading one event of it stays cheap. */
const RECORD_SIZE = 64 * 1_024;

/**
 * Adds all events, from this position on, to the records of a flush or, if one can't be encoded, none. Returns the
 * position of the last one. @throws TypeError
 */
export function addEvents(
  records: CommitBuilder[],
  position: number,
  stream: string,
  revision: number,
  events: readonly EventToAppend[],
): number {
  const last = records.at(-1);
  const record = last === undefined || last.size >= RECORD_SIZE ? new CommitBuilder(position) : last;
  record.add(stream, revision, events);
  if (record !== last) records.push(record);
  return record.next - 1;
}

/**
 * Stores records; call it within a transaction. With them goes the pending part of the stream index, if that is due. Call
 * the result when the transaction is flushed.
 */
export function writeRecords(
  databases: EventDatabases,
  index: StreamIndex,
  records: readonly CommitBuilder[],
): () => void {
  const indexed = index.isFlushDue ? index.storeTail() : undefined;
  for (const record of records) void databases.commits.put(record.first, record.encode());
  return () => {
    if (indexed !== undefined) index.markStored(indexed);
    for (const record of records) index.addRecord(record);
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
