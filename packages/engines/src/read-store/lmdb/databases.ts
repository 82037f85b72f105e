import type { Database, RootDatabase } from "lmdb";
import { openDatabase } from "./open-database.ts";
import { Rows } from "./rows.ts";

/** What one generation is stored in. */
export interface GenerationDatabases {
  readonly documents: Database<Buffer, Buffer>;
  readonly rows: Rows;
}

export interface GenerationRecord {
  /** Number of its databases: no other generation has them at the same time. */
  readonly slot: number;
  readonly version: number;
  /** Decimal. */
  readonly checkpoint: string;
}

/** Begins the names of databases. Raised with every change of what is stored in them: see `dropOtherFormats`. */
const FORMAT = "2/";

/** Number of named databases that the environment needs for it: two per generation, and a few more. */
export const LMDB_READ_STORE_DATABASES = 96;

/** The databases of an environment. They stay open: to close one that other threads use is not safe. */
export class Databases {
  readonly root: RootDatabase<unknown, string>;
  /** By projection and generation. */
  readonly generations: Database<GenerationRecord, [string, number]>;
  /** By projection: slot of the live generation, then its number, four bytes each. */
  readonly live: Database<Buffer, string>;
  readonly #slots = new Map<number, GenerationDatabases>();

  /** @throws Error the environment is read-only and was never opened for writing. */
  constructor(root: RootDatabase<unknown, string>) {
    this.root = root;
    this.generations = openDatabase(root, { name: `${FORMAT}generations`, encoding: "json" });
    this.live = openDatabase(root, { name: `${FORMAT}live`, encoding: "binary" });
  }

  /** Opens those of all generations: a transaction must not. */
  openAll(): void {
    for (const { value } of this.generations.getRange({})) this.ofSlot(value.slot);
  }

  ofSlot(slot: number): GenerationDatabases {
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const name = `${FORMAT}documents/${slot}`;
    const databases: GenerationDatabases = {
      documents: openDatabase(this.root, { name, encoding: "binary", keyEncoding: "binary" }),
      rows: new Rows(this.root, `${FORMAT}rows/${slot}`),
    };
    this.#slots.set(slot, databases);
    return databases;
  }
}

/** Drops what another release has written in another format. For the writing thread, before others read. */
export function dropOtherFormats(root: RootDatabase<unknown, string>): void {
  for (const name of [...root.getKeys({})]) {
    if (!name.startsWith(FORMAT)) root.openDB({ name, encoding: "binary" }).dropSync();
  }
}
