import type { RootDatabase } from "lmdb";
import type { Body, Document, PageItem, PageRequest, ReadModels } from "../index.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { type ListRange, ModelKeys, readText } from "./keys.ts";
import { StoredRecord } from "./stored-record.ts";

/** Reads the live generations. */
export class LmdbReadModels implements ReadModels {
  readonly #databases: Databases;
  readonly #live: LiveGenerations;

  constructor(databases: Databases) {
    this.#databases = databases;
    this.#live = new LiveGenerations(databases.live);
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const record = this.#record(this.#live.keysOf(model)?.document(key));
    const json = record?.body();
    return record === undefined || json === undefined ? undefined : { json, staleAt: record.staleAt };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    const keys = this.#live.keysOf(model);
    return keys === undefined ? undefined : this.documentIn(keys, key);
  }

  documentIn(keys: ModelKeys, key: string): Document | undefined {
    const stored = keys.document(key);
    return this.#record(stored)?.document(key, () => stored && this.#databases.states.getBinary(stored));
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const keys = this.#live.keysOf(model);
    const list = keys?.range(request.index, request.partition);
    if (keys === undefined || list === undefined) return [];
    const items: PageItem[] = [];
    for (const row of this.#databases.rows.getRange(rangeOf(list, request))) {
      const record = this.#record(keys.documentOfRow(row.value));
      if (record === undefined) continue;
      items.push({
        key: readText(row.value, 0, row.value.length),
        sort: readText(row.key, list.sortStart, row.key.length),
        json: record.body() ?? new Uint8Array(0),
        staleAt: record.staleAt,
      });
    }
    return items;
  }

  refresh(): void {
    this.#databases.root.resetReadTxn();
  }

  #record(key: Buffer | undefined): StoredRecord | undefined {
    const bytes = key && this.#databases.documents.getBinaryFast(key);
    return bytes && new StoredRecord(bytes, bytes.length);
  }
}

/** For threads that do not write. @throws Error the store was never opened for writing. */
export function openLmdbReadModels(root: RootDatabase<unknown, string>): ReadModels {
  return new LmdbReadModels(openDatabases(root));
}

function rangeOf(list: ListRange, { order, limit, after, from, before }: PageRequest) {
  if (order === "ascending") {
    const behind = after !== undefined && (from === undefined || after >= from);
    const start = behind ? list.at(after) : from === undefined ? list.start() : list.at(from);
    return { start, exclusiveStart: behind, end: before === undefined ? list.end() : list.at(before), limit };
  }
  const bounds = [after, before].filter((bound) => bound !== undefined);
  const top = bounds.length === 2 ? [bounds.sort()[0] ?? ""] : bounds;
  return {
    start: top[0] === undefined ? list.end() : list.at(top[0]),
    exclusiveStart: true,
    end: from === undefined ? list.start() : list.at(from),
    inclusiveEnd: true,
    reverse: true,
    limit,
  };
}

const ID = 0;
const NUMBER = 4;
const LENGTH = 8;

/** The live generations, read from the store at every read, so that all threads switch at once. */
export class LiveGenerations {
  readonly #live: Databases["live"];
  readonly #keys = new Map<string, { readonly projection: string; id: number; keys: ModelKeys }>();

  constructor(live: Databases["live"]) {
    this.#live = live;
  }

  /** The keys of a model in its live generation. */
  keysOf(model: string): ModelKeys | undefined {
    const known = this.#keys.get(model);
    const projection = known?.projection ?? model.slice(0, Math.max(model.indexOf("."), 0));
    const id = projection === "" ? undefined : this.#live.getBinaryFast(projection)?.readUInt32BE(ID);
    if (id === undefined) return undefined;
    if (known === undefined) {
      const keys = new ModelKeys(id, model);
      this.#keys.set(model, { projection, id, keys });
      return keys;
    }
    if (known.id !== id) Object.assign(known, { id, keys: new ModelKeys(id, model) });
    return known.keys;
  }

  numberOf(projection: string): number | undefined {
    return this.#live.getBinaryFast(projection)?.readUInt32BE(NUMBER);
  }

  /** Inside a transaction. */
  set(projection: string, id: number, generation: number): void {
    const value = Buffer.alloc(LENGTH);
    value.writeUInt32BE(id, ID);
    value.writeUInt32BE(generation, NUMBER);
    this.#live.putSync(projection, value);
  }
}
