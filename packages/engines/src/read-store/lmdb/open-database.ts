import type { Database, DatabaseOptions, Key, RootDatabase } from "lmdb";

interface Options extends DatabaseOptions {
  readonly name: string;
  /** Instead of one of lmdb's encodings. */
  readonly encoder?: unknown;
  readonly keyEncoder?: unknown;
}

/** Opens a named database if it exists. */
export function openExisting<Value, Name extends Key>(
  root: RootDatabase<unknown, string>,
  options: Options,
): Database<Value, Name> | undefined {
  return root.openDB<Value, Name>({ ...options, create: false } as Options);
}

/**
 * Opens a named database.
 * @throws Error the environment is read-only and the database was never written.
 */
export function openDatabase<Value, Name extends Key>(
  root: RootDatabase<unknown, string>,
  options: Options,
): Database<Value, Name> {
  const database: Database<Value, Name> | undefined = root.openDB<Value, Name>(options);
  if (database === undefined) throw new Error("the read store must be opened for writing before it can be read");
  return database;
}
