import type { PutOptions, StateRecord, StateStore } from "@travel-booking/engines/state-store";

/** Keeps records in memory; durable as long as the test. */
export class MemoryStateStore implements StateStore {
  readonly records = new Map<string, StateRecord<unknown>>();

  async get<Value>(space: string, key: string) {
    return this.records.get(`${space}/${key}`) as StateRecord<Value> | undefined;
  }

  async create<Value>(space: string, key: string, value: Value, options?: PutOptions) {
    const known = this.records.get(`${space}/${key}`) as StateRecord<Value> | undefined;
    if (known !== undefined) return { created: false, record: known };
    return { created: true, record: await this.put(space, key, value, options) };
  }

  async put<Value>(space: string, key: string, value: Value, { expiresAt = null }: PutOptions = {}) {
    const version = (this.records.get(`${space}/${key}`)?.version ?? 0) + 1;
    const record = { key, value, version, expiresAt };
    this.records.set(`${space}/${key}`, record);
    return record;
  }

  async replace<Value>(space: string, key: string, expectedVersion: number, value: Value, options?: PutOptions) {
    if (this.records.get(`${space}/${key}`)?.version !== expectedVersion) return undefined;
    return this.put(space, key, value, options);
  }

  async remove(space: string, key: string) {
    this.records.delete(`${space}/${key}`);
  }

  async removeIfVersion(space: string, key: string, expectedVersion: number) {
    if (this.records.get(`${space}/${key}`)?.version !== expectedVersion) return false;
    return this.records.delete(`${space}/${key}`);
  }

  async list() {
    return [];
  }

  async removeExpired() {
    return 0;
  }

  async close() {}
}
