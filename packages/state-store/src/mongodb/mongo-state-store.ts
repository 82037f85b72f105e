import { isDuplicateKey, type MongoConnection, reaching } from "@travel-booking/mongodb-connection";
import type { Collection } from "mongodb";
import type { PutOptions, StateRecord, StateStore } from "../port.ts";
import { StateStoreUnavailable } from "../state-store-unavailable.ts";
import { KeyTurns } from "./key-turns.ts";
import { idOf, idsOf, keyOf } from "./record-id.ts";
import { contentOf, type StoredContent, type StoredRecord, toRecord } from "./stored-record.ts";

export interface MongoStateStoreOptions {
  /** Name of its collection, so that several stores may share a database; `state` unless told. */
  readonly collection?: string;
}

/**
 * State on MongoDB, shared by as many processes as like: every write is one step on one document. Where a write fails
 * because the server, or its answer, is out of reach, it may or may not be stored: `StateStoreUnavailable`.
 * The connection stays its owner's to close.
 */
export function openMongoStateStore({ db }: MongoConnection, options: MongoStateStoreOptions = {}): StateStore {
  return new MongoStateStore(db.collection(options.collection ?? "state"));
}

/** The server answers a read within so many milliseconds, or counts as out of reach. */
const READ_MS = 5_000;

class MongoStateStore implements StateStore {
  readonly #records: Collection<StoredRecord>;
  readonly #turns = new KeyTurns((error) => error instanceof StateStoreUnavailable);
  #expiryIndex: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(records: Collection<StoredRecord>) {
    this.#records = records;
  }

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    const stored = await reach(() => this.#find(idOf(space, key)));
    return stored && toRecord<Value>(key, stored);
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    const record = { _id: idOf(space, key), version: 1, ...contentOf(value, options) };
    return this.#inTurn(record._id, async () => {
      for (;;) {
        if (await this.#isInserted(record)) return { created: true, record: toRecord<Value>(key, record) };
        const existing = await this.#find(record._id);
        if (existing !== undefined) return { created: false, record: toRecord<Value>(key, existing) };
      }
    });
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    const _id = idOf(space, key);
    const content = contentOf(value, options);
    return this.#inTurn(_id, async () => {
      for (;;) {
        const stored = await this.#raise({ _id }, content, true);
        if (stored !== undefined) return toRecord<Value>(key, stored);
      }
    });
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    const _id = idOf(space, key);
    const content = contentOf(value, options);
    return this.#inTurn(_id, async () => {
      const stored = await this.#raise({ _id, version: expectedVersion }, content, false);
      return stored && toRecord<Value>(key, stored);
    });
  }

  async remove(space: string, key: string): Promise<void> {
    const _id = idOf(space, key);
    return this.#inTurn(_id, async () => void (await this.#records.deleteOne({ _id })));
  }

  async removeVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    const _id = idOf(space, key);
    return this.#inTurn(_id, async () => {
      const { deletedCount } = await this.#records.deleteOne({ _id, version: expectedVersion });
      return deletedCount > 0;
    });
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    if (limit < 1) return [];
    const options = { sort: { _id: 1 }, limit, batchSize: limit + 1, maxTimeMS: READ_MS } as const;
    const stored = await reach(() => this.#records.find({ _id: idsOf(space, after) }, options).toArray());
    return stored.map((record) => toRecord<Value>(keyOf(space, record._id), record));
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    if (limit < 1) return 0;
    this.#refuseWhenClosed();
    return reach(async () => {
      await this.#indexExpiry();
      const isDue = { expiresAt: { $lte: now } };
      const options = { projection: { _id: 1 }, sort: { expiresAt: 1 }, limit, maxTimeMS: READ_MS } as const;
      const due = await this.#records.find(isDue, options).toArray();
      if (due.length === 0) return 0;
      // Asked again: another process may have written one of them meanwhile.
      const ids = due.map(({ _id }) => _id);
      return (await this.#records.deleteMany({ _id: { $in: ids }, ...isDue })).deletedCount;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.finished();
  }

  async #find(_id: string): Promise<StoredRecord | undefined> {
    return (await this.#records.findOne({ _id }, { maxTimeMS: READ_MS })) ?? undefined;
  }

  async #isInserted(record: StoredRecord): Promise<boolean> {
    try {
      await this.#records.insertOne(record);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  /** Undefined where there is none to be written over, or another process made one first. */
  async #raise(
    filter: { readonly _id: string; readonly version?: number },
    { value, expiresAt }: StoredContent,
    upsert: boolean,
  ): Promise<StoredRecord | undefined> {
    const update = { $set: { value, expiresAt }, $inc: { version: 1 } };
    try {
      return (await this.#records.findOneAndUpdate(filter, update, { upsert, returnDocument: "after" })) ?? undefined;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return undefined;
    }
  }

  #indexExpiry(): Promise<unknown> {
    this.#expiryIndex ??= this.#records.createIndex({ expiresAt: 1 }).catch((error: unknown) => {
      this.#expiryIndex = undefined;
      throw error;
    });
    return this.#expiryIndex;
  }

  /** Writes of this process to one record take effect in the order they were called. */
  async #inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.#refuseWhenClosed();
    return this.#turns.take(id, () => reach(work));
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new StateStoreUnavailable("the state store is closed");
  }
}

function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  return reaching(StateStoreUnavailable, work);
}
