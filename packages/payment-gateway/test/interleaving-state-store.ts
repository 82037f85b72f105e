import type { PutOptions, StateRecord, StateStore } from "@travel-booking/engines/state-store";

/** A state store in a map; every call takes a turn of the queue, so that concurrent callers really interleave. */
export class InterleavingStateStore implements StateStore {
  readonly #records = new Map<string, Map<string, StateRecord<unknown>>>();

  async get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    await null;
    return structuredClone(this.#space(space).get(key)) as StateRecord<Value> | undefined;
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    await null;
    const present = this.#space(space).get(key) as StateRecord<Value> | undefined;
    if (present !== undefined) return { created: false, record: structuredClone(present) };
    return { created: true, record: this.#write(space, key, value, 1, options) };
  }

  async put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>> {
    await null;
    return this.#write(space, key, value, (this.#space(space).get(key)?.version ?? 0) + 1, options);
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    await null;
    if (this.#space(space).get(key)?.version !== expectedVersion) return undefined;
    return this.#write(space, key, value, expectedVersion + 1, options);
  }

  async remove(space: string, key: string): Promise<void> {
    this.#space(space).delete(key);
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean> {
    await null;
    return this.#space(space).get(key)?.version === expectedVersion && this.#space(space).delete(key);
  }

  async list<Value>(space: string, { after = "", limit }: { readonly after?: string; readonly limit: number }) {
    await null;
    const records = [...this.#space(space).values()].filter(({ key }) => key > after);
    records.sort((one, other) => (one.key < other.key ? -1 : 1));
    return records.slice(0, limit).map((record) => structuredClone(record) as StateRecord<Value>);
  }

  async removeExpired(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {}

  #space(space: string): Map<string, StateRecord<unknown>> {
    const records = this.#records.get(space) ?? new Map();
    this.#records.set(space, records);
    return records;
  }

  #write<Value>(space: string, key: string, value: Value, version: number, options?: PutOptions): StateRecord<Value> {
    const record = { key, value: structuredClone(value), version, expiresAt: options?.expiresAt ?? null };
    this.#space(space).set(key, record);
    return record;
  }
}
