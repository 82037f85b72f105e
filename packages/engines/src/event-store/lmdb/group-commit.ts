import type { Environment } from "../../lmdb/index.ts";
import type { EventToAppend } from "../port.ts";
import { CommitBuilder } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";
import type { StreamIndex } from "./stream-index.ts";

/** Bytes at which a record is closed, so that reading one event of it stays cheap. */
const RECORD_SIZE = 64 * 1_024;

/** Appends that share a flush. */
export class Flush {
  /** In the order of their positions. */
  readonly records: CommitBuilder[] = [];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  #next: number;

  /** @param first position of the first event. */
  constructor(first: number) {
    this.#next = first;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    this.done = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Adds all events or, if one can't be encoded, none. Returns the position of the last one. @throws TypeError */
  add(stream: string, revision: number, events: readonly EventToAppend[]): number {
    const last = this.records.at(-1);
    const record = last === undefined || last.size >= RECORD_SIZE ? new CommitBuilder(this.#next) : last;
    record.add(stream, revision, events);
    if (record !== last) this.records.push(record);
    this.#next = record.next;
    return this.#next - 1;
  }
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
