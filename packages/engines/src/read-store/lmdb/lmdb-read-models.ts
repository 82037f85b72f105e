import type { RootDatabase } from "lmdb";
import type { Body, Document, PageItem, PageRequest, ReadModels } from "../index.ts";
import { Databases } from "./databases.ts";
import type { ListRange } from "./keys.ts";
import { LiveGenerations } from "./live-generations.ts";
import type { ReadRecord, Source } from "./source.ts";

/** Reads the live generations. */
export class LmdbReadModels implements ReadModels {
  readonly #root: Databases["root"];
  readonly #live: LiveGenerations;

  constructor(databases: Databases) {
    this.#root = databases.root;
    this.#live = new LiveGenerations(databases);
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const record = recordOf(this.#live.sourceOf(model), key);
    const json = record?.body() ?? null;
    return record === undefined || json === null ? undefined : { json, staleAt: record.staleAt };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    return recordOf(this.#live.sourceOf(model), key)?.document(key);
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const source = this.#live.sourceOf(model);
    const list = source?.keys.range(request.index, request.partition);
    const items: PageItem[] = [];
    if (source === undefined || list === undefined) return items;
    for (const { key, value } of source.rows.read(list, rangeOf(list, request))) {
      const record = recordOf(source, value);
      if (record === undefined) continue;
      items.push({ key: value, sort: key, json: record.body() ?? "", staleAt: record.staleAt });
    }
    return items;
  }

  refresh(): void {
    this.#root.resetReadTxn();
  }
}

/** For threads that do not write. @throws Error the store was never opened for writing. */
export function openLmdbReadModels(root: RootDatabase<unknown, string>): ReadModels {
  return new LmdbReadModels(new Databases(root));
}

/** Overwritten by the next read. @throws DamagedStore */
export function recordOf(source: Source | undefined, name: string): ReadRecord | undefined {
  const key = source?.keys.document(name);
  const bytes = key && source?.documents.getBinaryFast(key);
  return bytes && source?.read(bytes, bytes.length, key);
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
