import type { Collection, Db } from "mongodb";
import { type MongoConnection, READ_TIMEOUT_MS, translateMongoErrors } from "../../mongodb/index.ts";
import { type PutOptions, type StateRecord, type StateStore, StateStoreUnavailable } from "../index.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import {
  allCollections,
  collectionOf,
  contentOf,
  find,
  insertIfAbsent,
  newRecord,
  removeExpired,
  type StoredRecord,
  toRecord,
  updateRecord,
} from "./records.ts";

/**
 * State on MongoDB, shared by any number of processes. Every write is one operation on one document. A write that fails
 * with `StateStoreUnavailable` because the server is out of reach may have been stored. The store does not close the
 * connection.
 */
export function openMongoStateStore({ db }: MongoConnection): StateStore {
  return new MongoStateStore(db);
}

class MongoStateStore implements StateStore {
  readonly #db: Db;
  readonly #mutex = new KeyedMutex((error) => error instanceof StateStoreUnavailable);
  #isClosed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    const stored = await translateErrors(() => find(collectionOf(this.#db, space), key));
    return stored && toRecord<Value>(stored);
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    const record = newRecord(key, value, options);
    return this.#serialized(space, key, async (records) => {
      for (;;) {
        if (await insertIfAbsent(records, record)) return { created: true, record: toRecord<Value>(record) };
        const existing = await find(records, record._id);
        if (existing !== undefined) return { created: false, record: toRecord<Value>(existing) };
      }
    });
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    const record = newRecord(key, value, options);
    return this.#serialized(space, key, async (records) => {
      for (;;) {
        const stored = await updateRecord(records, { _id: record._id }, record);
        if (stored !== undefined) return toRecord<Value>(stored);
        if (await insertIfAbsent(records, record)) return toRecord<Value>(record);
      }
    });
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    const filter = { _id: key, version: expectedVersion };
    const content = contentOf(value, options);
    return this.#serialized(space, key, async (records) => {
      const stored = await updateRecord(records, filter, content);
      return stored && toRecord<Value>(stored);
    });
  }

  async remove(space: string, key: string): Promise<void> {
    return this.#serialized(space, key, async (records) => void (await records.deleteOne({ _id: key })));
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    const filter = { _id: key, version: expectedVersion };
    return this.#serialized(space, key, async (records) => (await records.deleteOne(filter)).deletedCount > 0);
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    if (limit < 1) return [];
    const options = { sort: { _id: 1 }, limit, batchSize: limit + 1, maxTimeMS: READ_TIMEOUT_MS } as const;
    const behind = after === undefined ? {} : { _id: { $gt: after } };
    const stored = await translateErrors(() => collectionOf(this.#db, space).find(behind, options).toArray());
    return stored.map((record) => toRecord<Value>(record));
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    this.#assertOpen();
    return translateErrors(async () => {
      let removed = 0;
      for (const records of await allCollections(this.#db))
        removed += await removeExpired(records, now, limit - removed);
      return removed;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#mutex.drained();
  }

  /** Writes of this process to one record take effect in call order. */
  async #serialized<Result>(
    space: string,
    key: string,
    work: (records: Collection<StoredRecord>) => Promise<Result>,
  ): Promise<Result> {
    this.#assertOpen();
    const records = collectionOf(this.#db, space);
    return this.#mutex.run(`${records.collectionName}/${key}`, () => translateErrors(() => work(records)));
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StateStoreUnavailable("the state store is closed");
  }
}

function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return translateMongoErrors(StateStoreUnavailable, work);
}
