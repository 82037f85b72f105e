import type { Database, RootDatabase } from "lmdb";
import { TEXT_KEYS } from "../../lmdb/index.ts";
import { type Generation, ReadStoreUnavailable, type Versions } from "../index.ts";
import { Rows } from "./rows.ts";
import { StoredRecord } from "./stored-record.ts";

/** The documents of a model, by their keys. */
export type Documents = Database<Buffer, string>;

/** The databases of one generation: one per model, and one for the rows of all lists. */
export class GenerationDatabases {
  readonly rows: Rows;
  readonly #root: RootDatabase<unknown, string>;
  readonly #name: string;
  readonly #documents = new Map<string, Documents>();

  constructor(root: RootDatabase<unknown, string>, name: string) {
    this.#root = root;
    this.#name = name;
    this.rows = new Rows(root, name);
  }

  /** Undefined if nothing was ever written there. @param make creates the database then; not inside a transaction. */
  documents(model: string, make = false): Documents | undefined {
    const known = this.#documents.get(model);
    if (known !== undefined) return known;
    const name = `${this.#name}/${model}`;
    const options = { name, encoding: "binary", keyEncoder: TEXT_KEYS, create: make } as const;
    const opened: Documents | undefined = this.#root.openDB(options);
    if (opened !== undefined) this.#documents.set(model, opened);
    return opened;
  }

  /** All databases of the generation. Not inside a transaction. */
  all(): readonly Pick<Documents, "clearSync">[] {
    const prefix = `${this.#name}/`;
    for (const name of this.#root.getKeys({ start: prefix, end: `${prefix}\uffff` })) {
      this.documents(String(name).slice(prefix.length));
    }
    return [...this.#documents.values()];
  }
}

/** The document of a storable key; undefined if there is none. The next read overwrites it. @throws DamagedStore */
export function storedRecord(documents: Documents | undefined, key: string): StoredRecord | undefined {
  const bytes = documents?.getBinaryFast(key);
  return bytes && new StoredRecord(bytes);
}

export interface GenerationRecord {
  /** Number of its databases. No other generation of the projection has the same one at the same time. */
  readonly slot: number;
  readonly version: number;
  /** Decimal. */
  readonly checkpoint: string;
  /** See `encodeCheckpointEvent`. */
  readonly checkpointEvent?: string | null;
}

/** A live generation. */
interface LiveRecord extends Pick<GenerationRecord, "slot" | "version"> {
  /** Its number. */
  readonly generation: number;
}

/** Prefix of all database names. Databases of another format are removed, and their content is rebuilt. */
const FORMAT = "5/";

/** Number of named databases that the environment needs for the read store. */
export const LMDB_READ_STORE_DATABASES = 192;
/** Page size. A document of a booking has one or two kilobytes, and too few of them would fit into a smaller page. */
export const LMDB_READ_STORE_PAGE = 8_192;

/**
 * The databases of an environment. They stay open, because closing one that other threads use is not safe. They are not
 * deleted, because LMDB gives the number of a deleted database to the next one.
 */
export class Databases {
  readonly root: RootDatabase<unknown, string>;
  /** By projection and generation. */
  readonly generations: Database<GenerationRecord, [string, number]>;
  /** By projection. Looked up at every read, so that all threads switch at once. */
  readonly live: Database<LiveRecord, string>;
  readonly #versions: Versions | undefined;
  readonly #slots = new Map<string, GenerationDatabases>();

  /** @param versions of projections. Live generations of other versions may not be read. */
  constructor(root: RootDatabase<unknown, string>, versions?: Versions) {
    this.root = root;
    this.#versions = versions;
    this.generations = root.openDB({ name: `${FORMAT}generations`, encoding: "json" });
    this.live = root.openDB({ name: `${FORMAT}live`, encoding: "json" });
  }

  /** Called by the writing thread before other threads read. */
  static removeOtherFormats(root: RootDatabase<unknown, string>): void {
    for (const name of [...root.getKeys({})].map(String)) {
      if (!name.startsWith(FORMAT)) root.openDB({ name, encoding: "binary" }).dropSync();
    }
  }

  ofSlot(projection: string, slot: number): GenerationDatabases {
    const name = `${FORMAT}${projection}/${slot}`;
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const databases = new GenerationDatabases(this.root, name);
    this.#slots.set(name, databases);
    return databases;
  }

  /**
   * Where a model is read: its databases, and its name there; undefined if there is no live generation.
   * @throws ReadStoreUnavailable the live generation has another version.
   */
  liveModel(name: string) {
    const [projection = ""] = name.split(".", 1);
    const live = this.live.get(projection);
    if (this.#versions !== undefined && live?.version !== this.#versions[projection]) {
      throw new ReadStoreUnavailable(`${projection} is being built`);
    }
    return live && { databases: this.ofSlot(projection, live.slot), model: name.slice(projection.length + 1) };
  }

  /** Whether reads go to this generation. */
  isLive({ projection, generation }: Generation): boolean {
    return this.live.get(projection)?.generation === generation;
  }
}
