import type { RootDatabase } from "lmdb";
import type { Body, Document, PageItem, PageRequest, ReadModels } from "../index.ts";
import { Databases, type GenerationDatabases } from "./databases.ts";
import { type ListRange, ModelKeys } from "./keys.ts";
import { LiveGenerations } from "./live-generations.ts";
import { StoredRecord } from "./stored-record.ts";

/** Reads the live generations. */
export class LmdbReadModels implements ReadModels {
  readonly #databases: Databases;
  readonly #live: LiveGenerations;
  readonly #keys = new Map<string, ModelKeys>();

  constructor(databases: Databases) {
    this.#databases = databases;
    this.#live = new LiveGenerations(databases);
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const record = recordOf(this.#live.ofModel(model), this.keysOf(model).document(key));
    const json = record?.body() ?? null;
    return record === undefined || json === null ? undefined : { json, staleAt: record.staleAt };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    return this.documentIn(this.#live.ofModel(model), model, key);
  }

  documentIn(generation: GenerationDatabases | undefined, model: string, key: string): Document | undefined {
    return recordOf(generation, this.keysOf(model).document(key))?.document(key);
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const generation = this.#live.ofModel(model);
    const keys = this.keysOf(model);
    const list = keys.range(request.index, request.partition);
    const items: PageItem[] = [];
    if (generation === undefined || list === undefined) return items;
    for (const { key, value } of generation.rows.read(list, rangeOf(list, request))) {
      const record = recordOf(generation, keys.document(value));
      if (record === undefined) continue;
      items.push({ key: value, sort: key, json: record.body() ?? "", staleAt: record.staleAt });
    }
    return items;
  }

  refresh(): void {
    this.#databases.root.resetReadTxn();
  }

  protected keysOf(model: string): ModelKeys {
    const known = this.#keys.get(model);
    if (known !== undefined) return known;
    const keys = new ModelKeys(model);
    this.#keys.set(model, keys);
    return keys;
  }
}

/** For threads that do not write. @throws Error the store was never opened for writing. */
export function openLmdbReadModels(root: RootDatabase<unknown, string>): ReadModels {
  return new LmdbReadModels(new Databases(root));
}

/** Overwritten by the next read. @throws DamagedStore */
function recordOf(generation: GenerationDatabases | undefined, key: Buffer | undefined): StoredRecord | undefined {
  const bytes = key && generation?.documents.getBinaryFast(key);
  return bytes && new StoredRecord(bytes, bytes.length);
}

function rangeOf(list: ListRange, { order, limit, after, from, before }: PageRequest) {
  if (order === "ascending") {
    const behind = after !== undefined && (from === undefined || after >= from);
    return { start: list.lower(behind ? after : from), exclusiveStart: behind, end: list.upper(before), limit };
  }
  const top = after !== undefined && before !== undefined && after < before ? after : (before ?? after);
  return {
    start: list.upper(top),
    exclusiveStart: true,
    end: list.lower(from),
    inclusiveEnd: true,
    reverse: true,
    limit,
  };
}
