import {
  initialVersion,
  type PutOptions,
  type StateRecord,
  type StateStore,
  StateStoreUnavailable,
} from "../src/state-store/index.ts";

type Space = Map<string, StateRecord<unknown>>;

/** A state store in memory. */
export class InMemoryStateStore implements StateStore {
  readonly #spaces = new Map<string, Space>();
  #closed = false;

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    return structuredClone(this.#find<Value>(space, key));
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    const record = this.#find<Value>(space, key);
    if (record !== undefined) return { created: false, record: structuredClone(record) };
    return { created: true, record: this.#write(space, key, value, options) };
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    return this.#write(space, key, value, options);
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    if (this.#find(space, key)?.version !== expectedVersion) return undefined;
    return this.#write(space, key, value, options);
  }

  async remove(space: string, key: string): Promise<void> {
    this.#writable(space).delete(key);
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    if (this.#find(space, key)?.version !== expectedVersion) return false;
    return this.#writable(space).delete(key);
  }

  async list<Value>(space: string, { after, limit }: { readonly after?: string; readonly limit: number }) {
    const keys = [...(this.#spaces.get(space)?.keys() ?? [])]
      .filter((key) => after === undefined || key > after)
      .sort();
    return keys.slice(0, limit).flatMap((key) => structuredClone(this.#find<Value>(space, key)) ?? []);
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    let removed = 0;
    for (const space of this.#spaces.values()) {
      for (const [key, { expiresAt }] of space) {
        if (expiresAt === null || expiresAt > now || removed >= limit) continue;
        space.delete(key);
        removed++;
      }
    }
    return removed;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #find<Value>(space: string, key: string): StateRecord<Value> | undefined {
    return this.#spaces.get(space)?.get(key) as StateRecord<Value> | undefined;
  }

  #write<Value>(space: string, key: string, value: Value, options: PutOptions | undefined): StateRecord<Value> {
    const existing = this.#find(space, key);
    const version = existing === undefined ? initialVersion() : existing.version + 1;
    const record = structuredClone({ key, value, version, expiresAt: options?.expiresAt ?? null });
    this.#writable(space).set(key, record);
    return structuredClone(record);
  }

  #writable(space: string): Space {
    if (this.#closed) throw new StateStoreUnavailable("the state store is closed");
    const records = this.#spaces.get(space) ?? new Map();
    this.#spaces.set(space, records);
    return records;
  }
}
