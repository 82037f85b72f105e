import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { checkDataFile } from "./data-file.ts";
import { makeFolder } from "./data-folder.ts";
import { suppressBatchRejections, toStorageError } from "./storage-errors.ts";

export interface EnvironmentOptions {
  /** A folder of its own for this environment; made if need be. */
  readonly path: string;
  /** For another thread of the process that has it open for writing. */
  readonly readOnly?: boolean;
  /** How many named databases it may hold. */
  readonly maxDbs: number;
}

/** One LMDB environment: one file, one writer at a time, transactions over all its databases. */
export interface Environment {
  readonly path: string;
  readonly readOnly: boolean;
  readonly root: RootDatabase<unknown, string>;
  /** Waits for the writes under way. */
  close(): Promise<void>;
}

/**
 * Opens an environment so that whatever a reader sees has been flushed to the disk. Only one process at a time may
 * have it open: see `lockDataFolder`.
 * @throws DamagedStore the file is not what was written, or is cut off.
 * @throws DataFolderNotWritable
 * @throws DataFolderFull
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const path = resolve(options.path);
  const readOnly = options.readOnly ?? false;
  try {
    // The thread that writes has looked at the file; a second look would race with it.
    if (!readOnly) prepare(path);
    const root = open<unknown, string>({
      path,
      readOnly,
      maxDbs: options.maxDbs,
      noSubdir: false,
      overlappingSync: false,
      encoding: "binary",
    });
    if (!readOnly) {
      markCreated(path);
      suppressBatchRejections(root);
    }
    return { path, readOnly, root, close: () => root.close() };
  } catch (error) {
    throw toStorageError(path, error);
  }
}

/**
 * Writes a consistent copy to a new folder, while the environment is in use.
 * @throws DataFolderFull
 * @throws DataFolderNotWritable also where there is something at `path` already.
 */
export async function backup(environment: Environment, path: string): Promise<void> {
  const target = resolve(path);
  try {
    makeFolder(target);
    await environment.root.backup(target, false);
    markCreated(target);
  } catch (error) {
    throw toStorageError(target, error);
  }
}

/** Tells an environment that was never used from one whose data file was lost. */
const CREATED = "created";

function prepare(path: string): void {
  makeFolder(path);
  checkDataFile(join(path, "data.mdb"), !existsSync(join(path, CREATED)));
}

function markCreated(path: string): void {
  const marker = join(path, CREATED);
  if (existsSync(marker)) return;
  for (const name of [join(path, "data.mdb"), marker, path]) flush(name, name === marker ? "w" : "r");
}

function flush(path: string, mode: "r" | "w"): void {
  const descriptor = openSync(path, mode);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
