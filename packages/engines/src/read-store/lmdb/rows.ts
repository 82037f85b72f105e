import type { Database, RangeOptions, RootDatabase } from "lmdb";
import { type ListRange, readText } from "./keys.ts";
import { openDatabase } from "./open-database.ts";

/** A row of a list. */
export interface Row {
  /** Its sort value. */
  readonly key: string;
  /** The key of its document. */
  readonly value: string;
}

/** The rows of all lists of a generation, by the keys of `ModelKeys`. Reading makes strings of what LMDB has, no copies. */
export class Rows {
  readonly #database: Database<Buffer | string, Buffer | string>;
  /** Where the sort value begins in the keys that are being read. */
  #sortStart = 0;

  constructor(root: RootDatabase<unknown, string>, name: string) {
    const keyEncoder = {
      writeKey(key: Buffer, target: Buffer, start: number) {
        target.set(key, start);
        return start + key.length;
      },
      readKey: (bytes: Buffer, start: number, end: number) => readText(bytes, start + this.#sortStart, end),
    };
    const encoder = {
      encode: (value: Buffer) => value,
      decode: (bytes: Buffer, length: number) => readText(bytes, 0, length),
    };
    this.#database = openDatabase(root, { name, keyEncoder, encoder });
  }

  has(key: Buffer, value: Buffer): boolean {
    return this.#database.getBinary(key)?.equals(value) === true;
  }

  /** Inside a transaction, as all that changes rows. */
  put(key: Buffer, value: Buffer): void {
    this.#database.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.#database.removeSync(key);
  }

  clear(): void {
    this.#database.clearSync();
  }

  /** To be used up before rows are read again. */
  read(list: ListRange, range: RangeOptions): Iterable<Row> {
    this.#sortStart = list.sortStart;
    return this.#database.getRange(range) as unknown as Iterable<Row>;
  }
}
