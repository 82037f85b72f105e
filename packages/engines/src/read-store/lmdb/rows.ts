import type { RootDatabase } from "lmdb";
import { type CountRequest, type IndexEntry, KeyTooLong, type PageRequest } from "../index.ts";
import { ABOVE_TEXT, isStorable, LONGEST, readText, writeText } from "./keys.ts";
import { openDatabase } from "./open-database.ts";
import { Scratch } from "./scratch.ts";

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
  putSync(list: List, row: Scratch): void;
  removeSync(list: List, row: Scratch): void;
  clearSync(): void;
  getValues(
    list: List,
    range: { readonly start: Scratch; readonly end: Scratch; readonly limit: number; readonly reverse?: boolean },
  ): Iterable<Row>;
  /** Of all values in constant time. */
  getValuesCount(list: List, range?: { readonly start: Scratch; readonly end: Scratch }): number;
}

/**
 * The rows of all lists of a generation. A list is one key, with its rows as the sorted values of this key: so each list
 * is a tree of its own, and rows that are appended to it fill its pages.
 *
 * A row is `<sort value> 00 <document key>`. Where the sort value ends with the key, as in lists by a time and the key,
 * it is `<sort value> 00 f0 <length of the key>`. No text contains 00, see `escaped`.
 */
export class Rows {
  readonly #database: RowDatabase;
  readonly #names = new Map<string, Buffer>();
  readonly #row = new Scratch(LONGEST);
  readonly #start = new Scratch(LONGEST);
  readonly #end = new Scratch(LONGEST);

  constructor(root: RootDatabase<unknown, string>, name: string) {
    const keyEncoder = {
      writeKey({ names, partition }: List, target: Uint8Array, start: number) {
        target.set(names, start);
        return writeText(partition, target, start + names.length, start + LONGEST);
      },
      readKey: () => undefined,
    };
    const encoder = {
      encode: (row: Scratch) => row.bytes,
      decode: readRow,
      writeKey: (bound: Scratch, target: Uint8Array, start: number) => bound.copyTo(target, start),
    };
    const database: unknown = openDatabase(root, { name, keyEncoder, encoder, dupSort: true });
    this.#database = database as RowDatabase;
  }

  /** Inside a transaction, as all that changes rows. @throws KeyTooLong */
  put(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    const [list, row] = [this.#list(model, index, partition), this.#encode(sort, key)];
    if (list === undefined || row === undefined) {
      throw new KeyTooLong(`index ${index}: partition and sort value are too long to be stored`);
    }
    this.#database.putSync(list, row);
  }

  remove(model: string, index: string, { partition, sort }: IndexEntry, key: string): void {
    const [list, row] = [this.#list(model, index, partition), this.#encode(sort, key)];
    if (list !== undefined && row !== undefined) this.#database.removeSync(list, row);
  }

  clear(): void {
    this.#database.clearSync();
  }

  /** To be used up before rows are read again. No row is equal to a bound: it ends in the middle of a row or behind it. */
  read(model: string, { index, partition, order, limit, after, from, before }: PageRequest): Iterable<Row> {
    const list = this.#list(model, index, partition);
    if (list === undefined) return [];
    if (order === "ascending") {
      const isBehind = after !== undefined && (from === undefined || after >= from);
      const start = isBehind ? boundBehind(this.#start, after) : boundAt(this.#start, from);
      return this.#database.getValues(list, { start, end: boundAt(this.#end, before, ABOVE_TEXT), limit });
    }
    const top = after !== undefined && before !== undefined && after < before ? after : (before ?? after);
    const range = { start: boundAt(this.#start, top, ABOVE_TEXT), end: boundAt(this.#end, from), reverse: true, limit };
    return this.#database.getValues(list, range);
  }

  count(model: string, { index, partition, from, limit }: CountRequest): number {
    const list = this.#list(model, index, partition);
    if (list === undefined) return 0;
    const range =
      from === undefined
        ? undefined
        : { start: boundAt(this.#start, from), end: boundAt(this.#end, undefined, ABOVE_TEXT) };
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

  #encode(sort: string, key: string): Scratch | undefined {
    const row = this.#row.begin().text(escaped(sort)).byte(SEPARATOR);
    if (key !== "" && sort.endsWith(key))
      row
        .byte(KEY_ENDS_SORT)
        .byte(key.length >> 8)
        .byte(key.length & 0xff);
    else row.text(key);
    return row.isCutOff ? undefined : row;
  }
}

const SEPARATOR = 0x00;
const KEY_ENDS_SORT = 0xf0;

/** Text has no `KEY_ENDS_SORT`. */
function readRow(bytes: Buffer, length: number): Row {
  if (bytes[length - 3] === KEY_ENDS_SORT) {
    const sort = unescaped(readText(bytes, 0, length - 4));
    return { sort, key: sort.slice(-bytes.readUInt16BE(length - 2)) };
  }
  const row = readText(bytes, 0, length);
  const end = row.indexOf("\0");
  return { sort: unescaped(row.slice(0, end)), key: row.slice(end + 1) };
}

/** At this sort value; without one, at this byte or at the beginning. */
function boundAt(target: Scratch, sort: string | undefined, byte?: number): Scratch {
  if (sort !== undefined) return target.begin().text(escaped(sort));
  return byte === undefined ? target.begin() : target.begin().byte(byte);
}

/** Behind all rows with this sort value. */
function boundBehind(target: Scratch, sort: string): Scratch {
  return target.begin().text(escaped(sort)).byte(SEPARATOR).byte(ABOVE_TEXT);
}

/** Without 00, and sorting as before. */
function escaped(sort: string): string {
  if (!sort.includes("\0") && !sort.includes("\x01")) return sort;
  return sort.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
}

function unescaped(stored: string): string {
  return stored.includes("\x01") ? stored.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01") : stored;
}
