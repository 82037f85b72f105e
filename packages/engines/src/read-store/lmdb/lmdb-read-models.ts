import type { RootDatabase } from "lmdb";
import {
  type Body,
  type CountRequest,
  type Document,
  isStorable,
  MAX_PAGE_CHARACTERS,
  type PageItem,
  type PageRequest,
  type ReadModels,
  type Versions,
} from "../index.ts";
import { Databases, storedRecord } from "./databases.ts";
import type { StoredRecord } from "./stored-record.ts";

/** Reads the live generations. */
export class LmdbReadModels implements ReadModels {
  protected readonly databases: Databases;

  constructor(databases: Databases) {
    this.databases = databases;
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const record = this.#record(model, key);
    const json = record?.body() ?? null;
    if (record === undefined || json === null) return undefined;
    return { json, staleAt: record.staleAt, size: json.length };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    return this.#record(model, key)?.document(key);
  }

  async page(name: string, request: PageRequest): Promise<readonly PageItem[]> {
    const items: PageItem[] = [];
    const live = this.databases.liveModel(name);
    if (live === undefined) return items;
    const { databases, model } = live;
    const documents = databases.documents(model);
    let characters = 0;
    for (const { sort, key } of databases.rows.read(model, request)) {
      const record = storedRecord(documents, key);
      if (record === undefined) continue;
      const json = record.body() ?? "";
      characters += json.length;
      const isFull = characters >= MAX_PAGE_CHARACTERS;
      items.push({ key, sort, json, staleAt: record.staleAt, size: json.length, ...(isFull && { more: true }) });
      if (isFull) break;
    }
    return items;
  }

  async count(name: string, request: CountRequest): Promise<number> {
    const live = this.databases.liveModel(name);
    return live === undefined ? 0 : live.databases.rows.count(live.model, request);
  }

  refresh(): void {
    this.databases.root.resetReadTxn();
  }

  #record(name: string, key: string): StoredRecord | undefined {
    const live = this.databases.liveModel(name);
    if (live === undefined || !isStorable(key)) return undefined;
    return storedRecord(live.databases.documents(live.model), key);
  }
}

/**
 * For threads that do not write.
 * @param versions of projections. Generations of other versions are not read.
 */
export function openLmdbReadModels(root: RootDatabase<unknown, string>, versions?: Versions): ReadModels {
  return new LmdbReadModels(new Databases(root, versions));
}
