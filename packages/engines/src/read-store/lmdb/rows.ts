import type { RootDatabase } from "lmdb";
import { type CountRequest, type IndexEntry, KeyTooLong, type PageRequest } from "../index.ts";
import { ABOVE_TEXT, isStorable, LONGEST, readText, writeText } from "./keys.ts";
import { openDatabase } from "./open-database.ts";

/** A row of a list. */
export interface Row {
  readonly sort: string;
  /** The key of its document. */
  readonly key: string;
}

/** The key of a list in the database: the names of model and index, then the partition. */
interface List {
  readonly names: Buffer;
  readonly partition: string;
}

/** What `Rows` uses of LMDB's interface, whose types do not know keys and bounds of one's own. */
interface RowDatabase {
  putSync(list: List, row: string): void;
  removeSync(list: List, row: string): void;
  clearSync(): void;
  getValues(
    list: List,
    range: { readonly start: string; readonly end: string; readonly limit: number; readonly reverse?: boolean },
  ): Iterable<Row>;
  /** Of all values in constant time. */
  getValuesCount(list: List, range?: { readonly start: string; readonly end: string }): number;
}

/** Bytes that LMDB copies at once, from `start` to `end`: written again and again, so that no row leaves a buffer behind. */
const SCRATCH: Buffer & { start?: number; end?: number } = Buffer.allocUnsafeSlow(LONGEST);

const ENCODER = {
  encode(row: string) {
    SCRATCH.start = 0;
    SCRATCH.end = writeText(row, SCRATCH, 0, LONGEST);
    return SCRATCH;
  },
  decode: (bytes: Buffer, length: number) => parseRow(readText(bytes, 0, length)),
  writeKey(bound: string, target: Uint8Array, start: number) {
    if (bound === END) target[start] = ABOVE_TEXT;
    const end = bound === END ? start + 1 : writeText(bound, target, start, start + LONGEST);
    return end < 0 ? start + LONGEST : end;
  },
};

const KEY_ENCODER = {
  writeKey({ names, partition }: List, target: Uint8Array, start: number) {
    target.set(names, start);
    return writeText(partition, target, start + names.length, start + LONGEST);
  },
  readKey: () => undefined,
};

/**
 * The rows of all lists of a generation. A list is one key, with its rows as the sorted values of this key: so each list
 * is a tree of its own, and rows that are appended to it fill its pages.
 */
export class Rows {
  readonly #database: RowDatabase;
  readonly #names = new Map<string, Buffer>();

  constructor(root: RootDatabase<unknown, string>, name: string) {
    const options = { name, keyEncoder: KEY_ENCODER, encoder: ENCODER, dupSort: true };
    this.#database = openDatabase(root, options) as unknown as RowDatabase;
  }

  /** Inside a transaction, as all that changes rows. @throws KeyTooLong */
  put(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    const [list, row] = [this.#list(model, index, partition), rowText(sort, key)];
    if (list === undefined || !isStorable(row)) {
      throw new KeyTooLong(`index ${index}: partition and sort value are too long to be stored`);
    }
    this.#database.putSync(list, row);
  }

  remove(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    const [list, row] = [this.#list(model, index, partition), rowText(sort, key)];
    if (list !== undefined && isStorable(row)) this.#database.removeSync(list, row);
  }

  clear(): void {
    this.#database.clearSync();
  }

  /** To be used up before rows are read again. No row is equal to a bound: it ends in the middle of a row or behind it. */
  read(model: string, { index, partition, order, limit, after, from, before }: PageRequest): Iterable<Row> {
    const list = this.#list(model, index, partition);
    if (list === undefined) return [];
    const [low, high] = [from === undefined ? "" : escaped(from), before === undefined ? END : escaped(before)];
    if (order === "ascending") {
      const isBehind = after !== undefined && (from === undefined || after >= from);
      return this.#database.getValues(list, { start: isBehind ? behind(after) : low, end: high, limit });
    }
    const isBelow = after !== undefined && (before === undefined || after < before);
    return this.#database.getValues(list, { start: isBelow ? escaped(after) : high, end: low, reverse: true, limit });
  }

  count(model: string, { index, partition, from, limit }: CountRequest): number {
    const list = this.#list(model, index, partition);
    if (list === undefined) return 0;
    const range = from === undefined ? undefined : { start: escaped(from), end: END };
    return Math.min(this.#database.getValuesCount(list, range), limit);
  }

  /** Undefined for a partition that is too long to be stored. */
  #list(model: string, index: string, partition: string): List | undefined {
    if (!isStorable(partition)) return undefined;
    const name = `${model}\0${index}\0`;
    let names = this.#names.get(name);
    if (names === undefined) {
      names = Buffer.from(name);
      this.#names.set(name, names);
    }
    return { names, partition };
  }
}

/**
 * A row is `<sort value> 00 <document key>`. Where the sort value ends with the key, as in lists by a time and the key,
 * it is `<sort value> 00 00 <length of the key>`. Sort value and key have no 00: they are escaped.
 */
function rowText(sort: string, key: string): string {
  const last = key !== "" && sort.endsWith(key) ? `\0${String.fromCharCode(key.length)}` : escaped(key);
  return `${escaped(sort)}\0${last}`;
}

function parseRow(row: string): Row {
  const end = row.indexOf("\0");
  const sort = unescaped(row.slice(0, end));
  const key = row[end + 1] === "\0" ? sort.slice(-row.charCodeAt(end + 2)) : unescaped(row.slice(end + 1));
  return { sort, key };
}

/** The bound above all rows. No row is equal to it. */
const END = "\0";

/** Behind all rows with this sort value: what continues it is escaped, and so above 01. */
function behind(sort: string): string {
  return `${escaped(sort)}\x01`;
}

/** Without 00, and sorting as before. */
function escaped(text: string): string {
  if (!text.includes("\0") && !text.includes("\x01")) return text;
  return text.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
}

function unescaped(stored: string): string {
  return stored.includes("\x01") ? stored.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01") : stored;
}
