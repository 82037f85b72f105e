import type { RootDatabase } from "lmdb";
import type { Body, Document, PageItem, PageRequest, ReadModels } from "../port.ts";
import { type Databases, openDatabases } from "./databases.ts";
import type { ListRange, ModelKeys } from "./keys.ts";
import { LiveGenerations } from "./live-generations.ts";
import { readText } from "./sortable-text.ts";
import { StoredRecord } from "./stored-record.ts";

/** Reads the live generations; for threads that do not write. */
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

/** @throws Error where the store has not been opened for writing yet. */
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
