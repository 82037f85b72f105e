import type { Database } from "lmdb";
import { codeOf, type Environment, translateReadErrors } from "../../lmdb/index.ts";
import {
  type CreateOptions,
  initialVersion,
  type PutOptions,
  type StateRecord,
  type StateStore,
  StateStoreUnavailable,
} from "../index.ts";
import { decodeHeader, decodeRecord, encodeRecord } from "./state-record.ts";
import { type CachedRecord, WriteCache } from "./write-cache.ts";

interface LmdbStateStoreOptions {
  /** Prefix of its database names, for several stores in one environment; by default `state`. */
  readonly prefix?: string;
  /** The event log of this process is in the same environment. */
  readonly sharesLog?: boolean;
  /** A write has failed, and no write is accepted any more. End the process; a restart finds what is stored. */
  readonly onFatal: (error: Error) => void;
}

/** Number of named databases it needs. */
export const LMDB_STATE_STORE_DATABASES = 2;

/**
 * State on LMDB. This process is its only writer: each write is decided at once in memory, in call order, and answered
 * when it is flushed.
 */
export function openLmdbStateStore(environment: Environment, options: LmdbStateStoreOptions): StateStore {
  return new LmdbStateStore(environment, options);
}

/** Characters. LMDB takes 1,978 bytes, with space and expiry. */
const MAX_KEY = 600;

interface WriteOptions extends CreateOptions {
  /** By default true. */
  readonly cacheAfterFlush?: boolean;
}

type Key = [space: string, key: string];
type ExpiryKey = [expiresAt: number, space: string, key: string];

class LmdbStateStore implements StateStore {
  readonly sharesLog: boolean;
  readonly #environment: Environment;
  readonly #records: Database<Buffer, Key>;
  readonly #expiry: Database<Buffer, ExpiryKey>;
  readonly #writes = new WriteCache();
  readonly #onFatal: (error: Error) => void;
  #unavailable: StateStoreUnavailable | undefined;

  constructor(environment: Environment, { prefix = "state", sharesLog = false, onFatal }: LmdbStateStoreOptions) {
    this.sharesLog = sharesLog;
    this.#environment = environment;
    this.#records = environment.root.openDB<Buffer, Key>({ name: `${prefix}-records`, encoding: "binary" });
    this.#expiry = environment.root.openDB<Buffer, ExpiryKey>({ name: `${prefix}-expiry`, encoding: "binary" });
    this.#onFatal = onFatal;
  }

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    const latest = this.#writes.get(space, key);
    // An unflushed write could still be lost.
    const bytes = latest?.isFlushed ? latest.record?.bytes : this.#stored(space, key);
    return bytes && decodeRecord<Value>(space, key, bytes);
  }

  async create<Value>(space: string, key: string, value: Value, options?: CreateOptions) {
    const existing = this.#latest(space, key);
    if (existing !== undefined) {
      await this.#writes.get(space, key)?.flushed;
      return { created: false, record: decodeRecord<Value>(space, key, existing.bytes) };
    }
    return { created: true, record: await this.#write(space, key, existing, value, options) };
  }

  async insertUnchecked<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<void> {
    await this.#write(space, key, undefined, value, { ...options, cacheAfterFlush: false });
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    return this.#write(space, key, this.#latest(space, key), value, options);
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    const existing = this.#latest(space, key);
    if (existing?.version === expectedVersion) return this.#write(space, key, existing, value, options);
    await this.#writes.get(space, key)?.flushed;
    return undefined;
  }

  async remove(space: string, key: string): Promise<void> {
    await this.#remove(space, key);
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    const isThatOne = this.#latest(space, key)?.version === expectedVersion;
    if (isThatOne) await this.#remove(space, key);
    else await this.#writes.get(space, key)?.flushed;
    return isThatOne;
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    const records: StateRecord<Value>[] = [];
    const range = { start: [space, after ?? ""], exclusiveStart: after !== undefined };
    for (const { key, value } of this.#records.getRange(range)) {
      if (key[0] !== space || records.length >= limit) break;
      records.push(decodeRecord<Value>(space, key[1], value));
    }
    return records;
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    const due: ExpiryKey[] = [];
    for (const key of this.#expiry.getKeys({})) {
      if (key[0] > now || due.length >= limit) break;
      due.push(key);
    }
    const expired = due.filter(([expiresAt, space, key]) => this.#latest(space, key)?.expiresAt === expiresAt);
    await Promise.all(expired.map(([, space, key]) => this.#remove(space, key)));
    return expired.length;
  }

  async close(): Promise<void> {
    this.#unavailable ??= new StateStoreUnavailable("the state store is closed");
    await this.#writes.allFlushed();
  }

  /** The record as of the last write, flushed or not. */
  #latest(space: string, key: string): CachedRecord | undefined {
    const latest = this.#writes.get(space, key);
    if (latest !== undefined) return latest.record ?? undefined;
    const bytes = this.#stored(space, key);
    return bytes && { bytes, ...decodeHeader(space, key, bytes) };
  }

  #stored(space: string, key: string): Buffer | undefined {
    return translateReadErrors("state", () => this.#records.get([space, key]));
  }

  async #write<Value>(
    space: string,
    key: string,
    existing: CachedRecord | undefined,
    value: Value,
    { expiresAt = null, cacheAfterFlush = true, awaitFlush = true }: WriteOptions = {},
  ): Promise<StateRecord<Value>> {
    const head = { version: existing === undefined ? initialVersion() : existing.version + 1, expiresAt };
    const bytes = encodeRecord(value, head);
    const flushed = this.#flush(space, key, existing, { bytes, ...head }, cacheAfterFlush);
    if (awaitFlush || !this.sharesLog) await flushed;
    // A failure ends the process, and no write after it succeeds.
    else flushed.catch(() => undefined);
    return { key, value, ...head };
  }

  async #remove(space: string, key: string): Promise<void> {
    const existing = this.#latest(space, key);
    if (existing === undefined) return this.#writes.get(space, key)?.flushed.then(() => {});
    await this.#flush(space, key, existing, null);
  }

  async #flush(
    space: string,
    key: string,
    existing: CachedRecord | undefined,
    record: CachedRecord | null,
    keepCached = true,
  ): Promise<void> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    if (key.length > MAX_KEY) throw new RangeError(`a key of ${space} has ${key.length} characters`);
    const flushed = this.#environment.writes
      .commit(() => this.#put(space, key, existing?.expiresAt ?? null, record))
      .catch((error: unknown) => this.#fail(error));
    const latest = { record, flushed, isFlushed: false };
    this.#writes.set(space, key, latest);
    await flushed;
    this.#writes.markFlushed(space, key, latest, keepCached);
  }

  /** Writes a record and its expiry; call it within a transaction. */
  #put(space: string, key: string, expiredAt: number | null, record: CachedRecord | null): void {
    if (record === null) void this.#records.remove([space, key]);
    else void this.#records.put([space, key], record.bytes);
    const expiresAt = record?.expiresAt ?? null;
    if (expiresAt === expiredAt) return;
    if (expiredAt !== null) void this.#expiry.remove([expiredAt, space, key]);
    if (expiresAt !== null) void this.#expiry.put([expiresAt, space, key], EMPTY);
  }

  #fail(cause: unknown): never {
    const first = !(this.#unavailable instanceof WriteFailed);
    this.#unavailable = new WriteFailed(cause);
    if (first) this.#onFatal(this.#unavailable);
    throw this.#unavailable;
  }
}

const EMPTY = Buffer.from([0]);

class WriteFailed extends StateStoreUnavailable {
  constructor(cause: unknown) {
    super(`the state store could not be written (${codeOf(cause)}): free space or mend the disk, then restart`, {
      cause,
    });
  }
}
