import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { makeFolder } from "@travel-booking/runtime/durable-files";
import { DataFolderInUse, toStorageError } from "./storage-errors.ts";

/** Enough for opening a new store. */
const PROBE_BYTES = 256 * 1024;

/** Keeps databases referenced. The garbage collector would close one that is not, and so release its lock. */
const held = new Set<DatabaseSync>();

interface DataFolderLock {
  /** Releases the folder. So does the end of this process, however it comes. */
  release(): void;
}

/**
 * Makes the folder if it is missing, and locks it for this process.
 *
 * The lock is one of the operating system, on a file that SQLite holds locked. It ends with the process, however that
 * ends. It compares no process ids, so it works between containers that share a folder.
 * @throws DataFolderInUse by another process, or by this one.
 * @throws DataFolderNotWritable
 * @throws DataFolderFull
 */
export function lockDataFolder(folder: string): DataFolderLock {
  const directory = resolve(folder);
  probe(directory);
  const ownerFile = join(directory, "lock.owner");
  const database = lock(directory, ownerFile);
  held.add(database);
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(ownerFile, { force: true });
      database.close();
      held.delete(database);
    },
  };
}

/**
 * Locks the first free folder of `name-1`, `name-2`, … below `parent`, until the end of this process. So each process
 * that shares `parent` has a folder of its own, and later ones find what killed ones left.
 * @returns its path
 * @throws DataFolderNotWritable
 * @throws DataFolderFull
 */
export function lockFreeFolder(parent: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const folder = join(parent, `${name}-${number}`);
    try {
      lockDataFolder(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error;
    }
  }
}

function lock(directory: string, ownerFile: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(directory, "lock"), { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    writeFileSync(ownerFile, `process ${process.pid}`);
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) throw new DataFolderInUse(directory, ownerIn(ownerFile));
    throw toStorageError(directory, error);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return types.isNativeError(error) && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function ownerIn(ownerFile: string): string {
  try {
    return readFileSync(ownerFile, "utf8");
  } catch {
    return "not known which";
  }
}

/** Writes and removes a file, so that a read-only or full folder stops the start and not the first request. */
function probe(directory: string): void {
  const file = join(directory, `probe-${process.pid}`);
  try {
    makeFolder(directory);
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } catch (error) {
    throw toStorageError(directory, error);
  } finally {
    // If removing fails, too, the first error says more.
    try {
      rmSync(file, { force: true });
    } catch {}
  }
}
