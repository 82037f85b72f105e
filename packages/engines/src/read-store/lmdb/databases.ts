import type { Database, RootDatabase } from "lmdb";

type Bytes = Database<Buffer, Buffer>;

/** What is known of a generation besides its documents. */
export interface GenerationRecord {
  /** What the keys of its documents start with. */
  readonly id: number;
  readonly version: number;
  /** Decimal. */
  readonly checkpoint: string;
}

export interface Databases {
  readonly root: RootDatabase<unknown, string>;
  readonly documents: Bytes;
  /** States too long to stand in their documents' records. */
  readonly states: Bytes;
  readonly rows: Bytes;
  /** By projection and generation. */
  readonly generations: Database<GenerationRecord, [string, number]>;
  /** By projection: id of the generation reads go to, then its number, four bytes each. */
  readonly live: Database<Buffer, string>;
}

/** How many named databases the environment must have room for. */
export const LMDB_READ_STORE_DATABASES = 5;

/**
 * @throws Error where the environment is open for reading only and nobody has opened it for writing yet.
 */
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

/** In an environment open for reading only, lmdb answers undefined for a database that is not there. */
function opened<Value extends object>(database: Value | undefined): Value {
  if (database === undefined) throw new Error("the read store must be opened for writing before it can be read");
  return database;
}
