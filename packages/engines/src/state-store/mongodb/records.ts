import type { Collection, Db } from "mongodb";
import { isDuplicateKey, READ_TIMEOUT_MS } from "../../mongodb/index.ts";
import { initialVersion, type PutOptions, type StateRecord } from "../index.ts";

interface StoredContent {
  /** JSON, because values may have any keys and must come back unchanged. */
  readonly value: string;
  readonly expiresAt: number | null;
}

export interface StoredRecord extends StoredContent {
  readonly _id: string;
  readonly version: number;
}

export function contentOf(value: unknown, options: PutOptions | undefined): StoredContent {
  return { value: JSON.stringify(value), expiresAt: options?.expiresAt ?? null };
}

/** The stored form of a new record. */
export function newRecord(key: string, value: unknown, options: PutOptions | undefined): StoredRecord {
  return { _id: key, version: initialVersion(), ...contentOf(value, options) };
}

export function toRecord<Value>({ _id: key, value, version, expiresAt }: StoredRecord): StateRecord<Value> {
  return { key, value: JSON.parse(value) as Value, version, expiresAt };
}

export async function find(records: Collection<StoredRecord>, _id: string): Promise<StoredRecord | undefined> {
  return (await records.findOne({ _id }, { maxTimeMS: READ_TIMEOUT_MS })) ?? undefined;
}

/** False if the record exists. */
export async function insertIfAbsent(records: Collection<StoredRecord>, record: StoredRecord): Promise<boolean> {
  try {
    await records.insertOne(record);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** Undefined if no record matches. */
export async function updateRecord(
  records: Collection<StoredRecord>,
  filter: { readonly _id: string; readonly version?: number },
  { value, expiresAt }: StoredContent,
): Promise<StoredRecord | undefined> {
  const update = { $set: { value, expiresAt }, $inc: { version: 1 } };
  return (await records.findOneAndUpdate(filter, update, { returnDocument: "after" })) ?? undefined;
}

/** Removes at most `limit` expired records; returns how many. */
export async function removeExpired(records: Collection<StoredRecord>, now: number, limit: number): Promise<number> {
  if (limit < 1) return 0;
  const isDue = { expiresAt: { $lte: now } };
  const options = { projection: { _id: 1 }, sort: { expiresAt: 1 }, limit, maxTimeMS: READ_TIMEOUT_MS } as const;
  const due = await records.find(isDue, options).toArray();
  if (due.length === 0) return 0;
  // The filter repeats the expiry, because another process may have written one of them meanwhile.
  const ids = due.map(({ _id }) => _id);
  return (await records.deleteMany({ _id: { $in: ids }, ...isDue })).deletedCount;
}

/** Prefix of the names of the store's collections. */
const PREFIX = "state.";

/** The collection of a space. Each space has its own, so that load on one does not affect another. */
export function collectionOf(db: Db, space: string): Collection<StoredRecord> {
  return db.collection(`${PREFIX}${encodeURIComponent(space)}`);
}

/** All existing collections, each with an index by expiry. */
export async function allCollections(db: Db): Promise<readonly Collection<StoredRecord>[]> {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = listed.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  const collections = names.map((name) => db.collection<StoredRecord>(name));
  // Does nothing if the index exists.
  await Promise.all(collections.map((records) => records.createIndex({ expiresAt: 1 })));
  return collections;
}
