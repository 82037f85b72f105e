import type { Database, RootDatabase } from "lmdb";
import { FormerFormat } from "./former-format.ts";
import { ModelKeys } from "./keys.ts";
import { openDatabase } from "./open-database.ts";
import { Rows } from "./rows.ts";
import type { Source } from "./source.ts";
import { StoredRecord } from "./stored-record.ts";

/** What one generation is stored in. */
export class GenerationDatabases {
  readonly documents: Database<Buffer, Buffer>;
  readonly rows: Rows;
  readonly #sources = new Map<string, Source>();

  constructor(root: RootDatabase<unknown, string>, slot: number) {
    const name = `${FORMAT}documents/${slot}`;
    this.documents = openDatabase(root, { name, encoding: "binary", keyEncoding: "binary" });
    this.rows = new Rows(root, `${FORMAT}rows/${slot}`);
  }

  /** @param model its full name, `<projection>.<model>`; its keys go without the projection. */
  source(model: string): Source {
    const known = this.#sources.get(model);
    if (known !== undefined) return known;
    const { documents, rows } = this;
    const keys = new ModelKeys(model.slice(model.indexOf(".") + 1));
    const source: Source = { documents, rows, keys, read: (bytes, length) => new StoredRecord(bytes, length) };
    this.#sources.set(model, source);
    return source;
  }
}

export interface GenerationRecord {
  /** Number of its databases: no other generation has them at the same time. */
  readonly slot: number;
  readonly version: number;
  /** Decimal. */
  readonly checkpoint: string;
}

/** Begins the names of databases. The release before had names without it: see `FormerFormat`. */
const FORMAT = "2/";

/** Number of named databases that the environment needs for it: two per generation, five of the former format, and two. */
export const LMDB_READ_STORE_DATABASES = 96;

/** The databases of an environment. They stay open: to close one that other threads use is not safe. */
export class Databases {
  readonly root: RootDatabase<unknown, string>;
  /** By projection and generation. */
  readonly generations: Database<GenerationRecord, [string, number]>;
  /** By projection: slot of the live generation, then its number, four bytes each. */
  readonly live: Database<Buffer, string>;
  /** Undefined if nothing in it is left. */
  readonly former: FormerFormat | undefined;
  readonly #slots = new Map<number, GenerationDatabases>();

  /** @throws Error the environment is read-only and was never opened for writing. */
  constructor(root: RootDatabase<unknown, string>) {
    this.root = root;
    this.generations = openDatabase(root, { name: `${FORMAT}generations`, encoding: "json" });
    this.live = openDatabase(root, { name: `${FORMAT}live`, encoding: "binary" });
    this.former = FormerFormat.open(root);
  }

  /** Opens those of all generations: a transaction must not. */
  openAll(): void {
    for (const { value } of this.generations.getRange({})) this.ofSlot(value.slot);
  }

  ofSlot(slot: number): GenerationDatabases {
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const databases = new GenerationDatabases(this.root, slot);
    this.#slots.set(slot, databases);
    return databases;
  }
}
