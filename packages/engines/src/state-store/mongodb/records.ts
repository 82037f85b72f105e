import type { Collection } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import type { StoredContent, StoredRecord } from "./stored-record.ts";

/** The server answers a read within so many milliseconds, or counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;

export async function find(records: Collection<StoredRecord>, _id: string): Promise<StoredRecord | undefined> {
  return (await records.findOne({ _id }, { maxTimeMS: READ_TIMEOUT_MS })) ?? undefined;
}

/** False: there is one already. */
export async function insertIfAbsent(records: Collection<StoredRecord>, record: StoredRecord): Promise<boolean> {
  try {
    await records.insertOne(record);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** Undefined where there is none to be written over. */
export async function updateRecord(
  records: Collection<StoredRecord>,
  filter: { readonly _id: string; readonly version?: number },
  { value, expiresAt }: StoredContent,
): Promise<StoredRecord | undefined> {
  const update = { $set: { value, expiresAt }, $inc: { version: 1 } };
  return (await records.findOneAndUpdate(filter, update, { returnDocument: "after" })) ?? undefined;
}

/** Answers how many were removed of those whose time has passed, at most `limit`. */
export async function removeExpired(records: Collection<StoredRecord>, now: number, limit: number): Promise<number> {
  if (limit < 1) return 0;
  const isDue = { expiresAt: { $lte: now } };
  const options = { projection: { _id: 1 }, sort: { expiresAt: 1 }, limit, maxTimeMS: READ_TIMEOUT_MS } as const;
  const due = await records.find(isDue, options).toArray();
  if (due.length === 0) return 0;
  // Asked again: another process may have written one of them meanwhile.
  const ids = due.map(({ _id }) => _id);
  return (await records.deleteMany({ _id: { $in: ids }, ...isDue })).deletedCount;
}
