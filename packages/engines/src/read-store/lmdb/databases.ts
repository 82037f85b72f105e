import type { Database, RootDatabase } from "lmdb";

type Bytes = Database<Buffer, Buffer>;

export interface GenerationRecord {
  /** Prefix of the keys of its documents. */
  readonly id: number;
  readonly version: number;
  /** Decimal. */
  readonly checkpoint: string;
}

export interface Databases {
  readonly root: RootDatabase<unknown, string>;
  readonly documents: Bytes;
  /** States too long for the records of their documents. */
  readonly states: Bytes;
  readonly rows: Bytes;
  /** By projection and generation. */
  readonly generations: Database<GenerationRecord, [string, number]>;
  /** By projection: id of the live generation, then its number, four bytes each. */
  readonly live: Database<Buffer, string>;
}

/** Number of named databases that the environment needs for it. */
export const LMDB_READ_STORE_DATABASES = 5;

/** @throws Error the environment is read-only and was never opened for writing. */
export function openDatabases(root: RootDatabase<unknown, string>): Databases {
  return {
    root,
    documents: openBytes(root, "documents"),
    states: openBytes(root, "states"),
    rows: openBytes(root, "rows"),
    generations: opened(root.openDB<GenerationRecord, [string, number]>({ name: "generations", encoding: "json" })),
    live: opened(root.openDB<Buffer, string>({ name: "live", encoding: "binary" })),
  };
}

function openBytes(root: RootDatabase<unknown, string>, name: string): Bytes {
  return opened(root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" }));
}

/** In a read-only environment lmdb returns undefined for a missing database. */
function opened<Value extends object>(database: Value | undefined): Value {
  if (database === undefined) throw new Error("the read store must be opened for writing before it can be read");
  return database;
}
