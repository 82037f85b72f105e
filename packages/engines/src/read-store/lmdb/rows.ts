import type { RootDatabase } from "lmdb";
import { TEXT_KEYS } from "../../lmdb/index.ts";
import { type CountRequest, type IndexEntry, isStorable, type PageRequest } from "../index.ts";

/** A row of a list. */
export interface Row {
  readonly sort: string;
  /** The key of its document. */
  readonly key: string;
}

/** The part of LMDB's interface that `Rows` uses. LMDB's own types do not allow for own keys and bounds. */
interface RowDatabase {
  putSync(list: string, row: string): void;
  removeSync(list: string, row: string): void;
  clearSync(): void;
  getValues(
    list: string,
    range: { readonly start: string; readonly end: string; readonly limit: number; readonly reverse?: boolean },
  ): Iterable<Row>;
  /** Takes constant time without a range. */
  getValuesCount(list: string, range?: { readonly start: string; readonly end: string }): number;
}

/** Longest value in bytes where a key has several. Longer bounds are cut off. */
const LONGEST = 1_978;
/** Above the bytes of any text. */
const ABOVE_TEXT = 0xff;

/** LMDB copies the bytes from `start` to `end` immediately, so every row can reuse this buffer. */
const SCRATCH: Buffer & { start?: number; end?: number } = Buffer.allocUnsafeSlow(LONGEST);

const ENCODER = {
  encode(row: string) {
    SCRATCH.start = 0;
    SCRATCH.end = SCRATCH.write(row);
    return SCRATCH;
  },
  decode: (bytes: Buffer, length: number) => parseRow(bytes.toString("utf8", 0, length)),
  writeKey(bound: string, target: Buffer, start: number) {
    return bound === END ? target.writeUInt8(ABOVE_TEXT, start) : start + target.write(bound, start, LONGEST);
  },
};

/**
 * The rows of all lists of a generation. A list is one key, and its rows are the sorted values of that key. So each
 * list is a tree of its own, and rows that are appended to it fill its pages.
 */
export class Rows {
  readonly #database: RowDatabase;

  constructor(root: RootDatabase<unknown, string>, name: string) {
    const options = { name, keyEncoder: TEXT_KEYS, encoder: ENCODER, dupSort: true };
    this.#database = root.openDB(options) as unknown as RowDatabase;
  }

  /** Inside a transaction, like every change of rows. Model, index and place have passed `checkKeys`. */
  put(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    this.#database.putSync(listKey(model, index, partition), rowText(sort, key));
  }

  remove(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    this.#database.removeSync(listKey(model, index, partition), rowText(sort, key));
  }

  clear(): void {
    this.#database.clearSync();
  }

  /** Consume it before the next read. A bound ends in the middle of a row or behind it, so no row equals one. */
  read(model: string, { index, partition, order, limit, after, from, before }: PageRequest): Iterable<Row> {
    if (!isStorable(partition)) return [];
    const list = listKey(model, index, partition);
    const [low, high] = [from ?? "", before ?? END];
    if (order === "ascending") {
      const isBehind = after !== undefined && (from === undefined || after >= from);
      return this.#database.getValues(list, { start: isBehind ? behind(after) : low, end: high, limit });
    }
    const isBelow = after !== undefined && (before === undefined || after < before);
    return this.#database.getValues(list, { start: isBelow ? after : high, end: low, reverse: true, limit });
  }

  count(model: string, { index, partition, from, limit }: CountRequest): number {
    if (!isStorable(partition)) return 0;
    const range = from === undefined ? undefined : { start: from, end: END };
    return Math.min(this.#database.getValuesCount(listKey(model, index, partition), range), limit);
  }
}

/** The key of a list in the database. */
function listKey(model: string, index: string, partition: string): string {
  return `${model}\0${index}\0${partition}`;
}

/**
 * A row is `<sort value> 00 <document key>`. If the sort value ends with the key, as in lists by a time and the key,
 * the row is `<sort value> 00 00 <length of the key>`. Sort value and key have no 00.
 */
function rowText(sort: string, key: string): string {
  const last = sort.endsWith(key) ? `\0${String.fromCharCode(key.length)}` : key;
  return `${sort}\0${last}`;
}

function parseRow(row: string): Row {
  const end = row.indexOf("\0");
  const sort = row.slice(0, end);
  const key = row[end + 1] === "\0" ? sort.slice(-row.charCodeAt(end + 2)) : row.slice(end + 1);
  return { sort, key };
}

/** The bound above all rows. No row is equal to it. */
const END = "\0";

/** A bound behind all rows with this sort value, since a row continues with 00. */
function behind(sort: string): string {
  return `${sort}\x01`;
}
