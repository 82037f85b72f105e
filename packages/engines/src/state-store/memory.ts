import { initialVersion, type PutOptions, type StateRecord, type StateStore, StateStoreUnavailable } from "./index.ts";

/** Null: removed. */
type Space = Map<string, StateRecord<unknown> | null>;

/** A state store in memory. Over another store, which is only read, it keeps what was written since. */
export class InMemoryStateStore implements StateStore {
  readonly #below: Pick<StateStore, "get" | "list" | "close"> | undefined;
  readonly #spaces = new Map<string, Space>();
  /** Resolves when the writes until now are decided. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(below?: Pick<StateStore, "get" | "list" | "close">) {
    this.#below = below;
  }

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    if (this.#below !== undefined && !this.#isKnown(space, key)) return this.#below.get(space, key);
    return structuredClone(this.#find<Value>(space, key));
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    const given = structuredClone(value);
    return this.#inOrder(space, key, () => {
      const record = this.#find<Value>(space, key);
      if (record !== undefined) return { created: false, record: structuredClone(record) };
      return { created: true, record: this.#write(space, key, given, options) };
    });
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    const given = structuredClone(value);
    return this.#inOrder(space, key, () => this.#write(space, key, given, options));
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    const given = structuredClone(value);
    return this.#inOrder(space, key, () => {
      if (this.#find(space, key)?.version !== expectedVersion) return undefined;
      return this.#write(space, key, given, options);
    });
  }

  async remove(space: string, key: string): Promise<void> {
    return this.#inOrder(space, key, () => this.#drop(space, key));
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    return this.#inOrder(space, key, () => {
      if (this.#find(space, key)?.version !== expectedVersion) return false;
      this.#drop(space, key);
      return true;
    });
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    const own = this.#spaces.get(space) ?? new Map();
    // As many more as may be removed or replaced here.
    const range = { limit: limit + own.size, ...(after !== undefined && { after }) };
    const below = (await this.#below?.list(space, range)) ?? [];
    const records = new Map<string, StateRecord<unknown> | null>(below.map((record) => [record.key, record]));
    for (const [key, record] of own) if (after === undefined || key > after) records.set(key, record);
    const found: StateRecord<Value>[] = [];
    for (const key of [...records.keys()].sort()) {
      if (found.length === limit) break;
      const record = records.get(key);
      if (record) found.push(structuredClone(record) as StateRecord<Value>);
    }
    return found;
  }

  /** Of those in memory. */
  async removeExpired(now: number, limit: number): Promise<number> {
    let removed = 0;
    for (const [space, records] of this.#spaces) {
      for (const [key, record] of records) {
        const expiresAt = record?.expiresAt ?? null;
        if (expiresAt === null || expiresAt > now || removed >= limit) continue;
        this.#drop(space, key);
        removed++;
      }
    }
    return removed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    await this.#below?.close();
  }

  #isKnown(space: string, key: string): boolean {
    return this.#spaces.get(space)?.has(key) === true;
  }

  /** Decides writes in the order of their calls, each on the record as it is then. */
  async #inOrder<Result>(space: string, key: string, decide: () => Result): Promise<Result> {
    if (this.#closed) throw new StateStoreUnavailable("the state store is closed");
    const below = this.#below;
    if (below === undefined) return decide();
    const decided = this.#last.then(async () => {
      if (!this.#isKnown(space, key)) this.#spaceOf(space).set(key, (await below.get(space, key)) ?? null);
      return decide();
    });
    this.#last = decided.catch(() => undefined);
    return decided;
  }

  #find<Value>(space: string, key: string): StateRecord<Value> | undefined {
    return (this.#spaces.get(space)?.get(key) ?? undefined) as StateRecord<Value> | undefined;
  }

  #drop(space: string, key: string): void {
    const records = this.#spaceOf(space);
    if (this.#below === undefined) records.delete(key);
    else records.set(key, null);
  }

  #write<Value>(space: string, key: string, value: Value, options: PutOptions | undefined): StateRecord<Value> {
    const existing = this.#find(space, key);
    const version = existing === undefined ? initialVersion() : existing.version + 1;
    const record = structuredClone({ key, value, version, expiresAt: options?.expiresAt ?? null });
    this.#spaceOf(space).set(key, record);
    return structuredClone(record);
  }

  #spaceOf(space: string): Space {
    const records = this.#spaces.get(space) ?? new Map();
    this.#spaces.set(space, records);
    return records;
  }
}
