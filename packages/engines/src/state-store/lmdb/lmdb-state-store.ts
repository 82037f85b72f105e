import { LRUCache } from "lru-cache";
import { noRoom } from "../../disk-space/index.ts";
import { codeOf, type Environment, rewriteEnvironment, translateReadErrors } from "../../lmdb/index.ts";
import {
  type CreateOptions,
  initialVersion,
  type PutOptions,
  type StateRecord,
  type StateStore,
  StateStoreUnavailable,
} from "../index.ts";
import { openStateDatabases, type RecordKey, recordKey, type StateDatabases } from "./databases.ts";
import { decodeValue, encodeRecord, type OpenedRecord, openRecord } from "./state-record.ts";

export { isStateDatabase, LMDB_STATE_STORE_DATABASES } from "./databases.ts";

interface LmdbStateStoreOptions {
  /** True if the event log of this process is in the same environment. */
  readonly sharesLog?: boolean;
  /** Called when a write has failed; no further write is accepted. End the process; a restart finds what is stored. */
  readonly onFatal: (error: Error) => void;
}

/**
 * State on LMDB. This process is its only writer. Each write is decided at once in memory, in call order, and resolves
 * when it is flushed.
 */
export function openLmdbStateStore(environment: Environment, options: LmdbStateStoreOptions): LmdbStateStore {
  return new LmdbStateStore(environment, options);
}

/** Characters. LMDB takes 1,978 bytes, with space and expiry. */
const MAX_KEY = 600;

/** A record as it will be after its write is flushed; null if it is being removed. */
interface PendingWrite {
  readonly record: OpenedRecord | null;
  readonly flushed: Promise<void>;
}

/** A change of the databases by one write. */
interface Change {
  readonly space: string;
  readonly key: string;
  /** Expiry of the former record; null if it had none, or there was no record. */
  readonly expiredAt: number | null;
  /** Null if the record is removed. */
  readonly record: OpenedRecord | null;
}

/** Limits in bytes for flushed records in memory: of all together, and of one. */
const MAX_CACHED = 4 * 1_024 * 1_024;
const MAX_CACHED_RECORD = 8 * 1_024;
/** Approximate bytes of an entry besides its record. */
const ENTRY = 200;

/** Number of expired records removed together. Finding them must not block the thread for long. */
const REMOVED_TOGETHER = 50;

export class LmdbStateStore implements StateStore {
  readonly sharesLog: boolean;
  readonly #environment: Environment;
  #databases: StateDatabases;
  readonly #pending = new Map<RecordKey, PendingWrite>();
  /**
   * Some of the records flushed last. A record is often written again soon, and reading it back costs many times as
   * much. They are never older than the stored records.
   */
  readonly #flushed = new LRUCache<RecordKey, OpenedRecord>({
    maxSize: MAX_CACHED,
    maxEntrySize: MAX_CACHED_RECORD,
    sizeCalculation: ({ bytes }) => ENTRY + bytes.length,
  });
  readonly #onFatal: (error: Error) => void;
  #unavailable: StateStoreUnavailable | undefined;
  /** A rewrite that has not begun yet. */
  #rewriting: Promise<void> | undefined;
  /** Changes since the running rewrite began. */
  #changes: Change[] | undefined;

  constructor(environment: Environment, { sharesLog = false, onFatal }: LmdbStateStoreOptions) {
    this.sharesLog = sharesLog;
    this.#environment = environment;
    this.#databases = openStateDatabases(environment);
    this.#onFatal = onFatal;
  }

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    const record = this.#stored(recordKey(space, key));
    return record && asStateRecord(key, record);
  }

  async create<Value>(space: string, key: string, value: Value, options?: CreateOptions) {
    const existing = this.#latest(recordKey(space, key));
    if (existing === undefined) {
      const { record, flushed } = this.#write(space, key, existing, value, options);
      // A failure ends the process, and no later write succeeds.
      if ((options?.awaitFlush ?? true) || !this.sharesLog) await flushed;
      return { created: true, record };
    }
    await this.#pending.get(recordKey(space, key))?.flushed;
    return { created: false, record: asStateRecord<Value>(key, existing) };
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    const { record, flushed } = this.#write(space, key, this.#latest(recordKey(space, key)), value, options);
    await flushed;
    return record;
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    const existing = this.#latest(recordKey(space, key));
    if (existing?.version === expectedVersion) {
      const { record, flushed } = this.#write(space, key, existing, value, options);
      await flushed;
      return record;
    }
    await this.#pending.get(recordKey(space, key))?.flushed;
    return undefined;
  }

  async remove(space: string, key: string): Promise<void> {
    const existing = this.#latest(recordKey(space, key));
    if (existing === undefined) await this.#pending.get(recordKey(space, key))?.flushed;
    else await this.#flush(space, key, existing.expiresAt, null);
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    const existing = this.#latest(recordKey(space, key));
    const isThatOne = existing?.version === expectedVersion;
    if (isThatOne) await this.#flush(space, key, existing.expiresAt, null);
    else await this.#pending.get(recordKey(space, key))?.flushed;
    return isThatOne;
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    const start = recordKey(space, after ?? "");
    const range = { start, end: `${space}\x01` as RecordKey, exclusiveStart: after !== undefined, limit };
    return [...this.#databases.records.getRange(range)].map(({ key, value }) =>
      asStateRecord<Value>(key.slice(space.length + 1), openRecord(key, value)),
    );
  }

  /** Counts the stored records, and reads each. @throws DamagedStore one is not what was written. */
  count(): number {
    let count = 0;
    for (const { key, value } of this.#databases.records.getRange({ start: "" as RecordKey })) {
      openRecord(key, value);
      count += 1;
    }
    return count;
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    let removed = 0;
    for (;;) {
      const soonest = this.#databases.expiry.getKeys({ limit: Math.min(REMOVED_TOGETHER, limit - removed) });
      const due = [...soonest].filter(([expiresAt]) => expiresAt <= now);
      const removals = due.flatMap(([expiresAt, space, key]) => {
        const record = this.#latest(recordKey(space, key));
        // The record may just have got another expiry.
        return record?.expiresAt === expiresAt ? [this.#flush(space, key, expiresAt, null)] : [];
      });
      await Promise.all(removals);
      removed += removals.length;
      if (removed === limit || removals.length === 0 || due.length < REMOVED_TOGETHER) return removed;
    }
  }

  /**
   * Writes a new file, without any trace of records that were removed or replaced before this call. The store must be
   * alone in its environment.
   * @throws StorageError for example without room. The store then goes on with its old file.
   */
  rewrite(): Promise<void> {
    this.#rewriting ??= this.#environment.copyAlone(async () => {
      this.#rewriting = undefined;
      const changes: Change[] = [];
      this.#changes = changes;
      // The copy begins with everything that is not among the changes.
      await this.#environment.writes.finished();
      try {
        await rewriteEnvironment(this.#environment, {
          async copyRest(to) {
            const databases = openStateDatabases(to);
            await to.root.batch(() => {
              for (const change of changes) applyChange(databases, change);
            });
          },
          onReplaced: () => {
            this.#databases = openStateDatabases(this.#environment);
          },
        });
      } finally {
        this.#changes = undefined;
      }
    });
    return this.#rewriting;
  }

  async close(): Promise<void> {
    this.#unavailable ??= new StateStoreUnavailable("the state store is closed");
    await Promise.allSettled([...this.#pending.values()].map(({ flushed }) => flushed));
  }

  /** The record as of the last write, flushed or not. */
  #latest(key: RecordKey): OpenedRecord | undefined {
    const pending = this.#pending.get(key);
    return pending === undefined ? this.#stored(key) : (pending.record ?? undefined);
  }

  /** The flushed record, because an unflushed write could still be lost. */
  #stored(key: RecordKey): OpenedRecord | undefined {
    const flushed = this.#flushed.get(key);
    if (flushed !== undefined) return flushed;
    const bytes = translateReadErrors("state", () => this.#databases.records.get(key));
    return bytes && openRecord(key, bytes);
  }

  #write<Value>(
    space: string,
    key: string,
    existing: OpenedRecord | undefined,
    value: Value,
    { expiresAt = null }: PutOptions = {},
  ): { readonly record: StateRecord<Value>; readonly flushed: Promise<void> } {
    const version = existing === undefined ? initialVersion() : existing.version + 1;
    const encoded = encodeRecord(value, version, expiresAt);
    const flushed = this.#flush(space, key, existing?.expiresAt ?? null, encoded);
    return { record: { key, value, version, expiresAt }, flushed };
  }

  /** Writes a record, or removes it if null. Resolves when that is flushed. */
  #flush(space: string, key: string, expiredAt: number | null, record: OpenedRecord | null): Promise<void> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    if (this.#environment.disk?.takesWrites === false) throw noRoom(StateStoreUnavailable);
    if (key.length > MAX_KEY) throw new RangeError(`a key of ${space} has ${key.length} characters`);
    const change = { space, key, expiredAt, record };
    const committed = this.#environment.writes.commit(() => {
      this.#changes?.push(change);
      applyChange(this.#databases, change);
    });
    const id = recordKey(space, key);
    const flushed: Promise<void> = committed.then(
      () => this.#afterFlush(id, write),
      (error: unknown) => this.#fail(error),
    );
    const write: PendingWrite = { record, flushed };
    this.#pending.set(id, write);
    // Callers handle a failure where they wait.
    flushed.catch(() => undefined);
    return flushed;
  }

  #afterFlush(id: RecordKey, write: PendingWrite): void {
    const isLatest = this.#pending.get(id) === write;
    if (isLatest) this.#pending.delete(id);
    if (isLatest && write.record !== null) this.#flushed.set(id, write.record);
    else this.#flushed.delete(id);
  }

  #fail(cause: unknown): never {
    const message = `the state store could not be written (${codeOf(cause)}): free space or mend the disk, then restart`;
    this.#unavailable = new StateStoreUnavailable(message, { cause });
    this.#onFatal(this.#unavailable);
    throw this.#unavailable;
  }
}

/** Within a transaction. */
function applyChange({ records, expiry }: StateDatabases, { space, key, expiredAt, record }: Change): void {
  if (record === null) void records.remove(recordKey(space, key));
  else void records.put(recordKey(space, key), record.bytes);
  const expiresAt = record?.expiresAt ?? null;
  if (expiresAt === expiredAt) return;
  if (expiredAt !== null) void expiry.remove([expiredAt, space, key]);
  if (expiresAt !== null) void expiry.put([expiresAt, space, key], EMPTY);
}

const EMPTY = Buffer.from([0]);

function asStateRecord<Value>(key: string, record: OpenedRecord): StateRecord<Value> {
  const { version, expiresAt } = record;
  return { key, value: decodeValue(record), version, expiresAt };
}
