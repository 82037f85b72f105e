import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFile, makeFolder, syncFile } from "@travel-booking/runtime/durable-files";
import { open, type RootDatabase } from "lmdb";
import type { DiskSpace } from "../disk-space/index.ts";
import { checkDataFile } from "./data-file.ts";
import { suppressBatchRejections, toStorageError } from "./storage-errors.ts";
import { WriteQueue } from "./write-queue.ts";

export interface EnvironmentOptions {
  /** A folder for this environment alone; made if need be. */
  readonly path: string;
  /** For another thread of the process that has it open for writing. */
  readonly readOnly?: boolean;
  /** Maximum number of named databases. */
  readonly maxDbs: number;
  /** Bytes, of a new environment; the operating system's by default. */
  readonly pageSize?: number;
  /** Of the thread that writes: the stores refuse what the disk does not take; absent: nothing. */
  readonly disk?: DiskSpace | undefined;
}

/** An LMDB environment: one file, one writer at a time, transactions over all its databases. */
export interface Environment {
  readonly path: string;
  readonly readOnly: boolean;
  readonly disk: DiskSpace | undefined;
  readonly root: RootDatabase<unknown, string>;
  /** For writes that have an order among each other. */
  readonly writes: WriteQueue;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/**
 * Opens an environment so that readers only see what has been flushed. Only one process at a time may have it open: see
 * `lockDataFolder`.
 * @throws DamagedStore the file is damaged or truncated.
 * @throws DataFolderNotWritable
 * @throws DataFolderFull
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const path = resolve(options.path);
  const readOnly = options.readOnly ?? false;
  try {
    // The writing thread has checked the file; a second check would race with it.
    if (!readOnly) prepare(path);
    const root = open<unknown, string>({
      path,
      readOnly,
      maxDbs: options.maxDbs,
      ...(options.pageSize !== undefined && { pageSize: options.pageSize }),
      noSubdir: false,
      overlappingSync: false,
      encoding: "binary",
    });
    if (!readOnly) {
      markCreated(path);
      suppressBatchRejections(root);
    }
    options.disk?.keepHeadroomOf(join(path, "data.mdb"));
    const writes = new WriteQueue(root);
    const close = async () => {
      await writes.finished();
      await root.close();
    };
    return { path, readOnly, disk: options.disk, root, writes, close };
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

/** Marks an environment that was used, so that a lost data file is noticed. */
const CREATED = "created";

function prepare(path: string): void {
  makeFolder(path);
  checkDataFile(join(path, "data.mdb"), !existsSync(join(path, CREATED)));
}

function markCreated(path: string): void {
  const marker = join(path, CREATED);
  if (existsSync(marker)) return;
  syncFile(join(path, "data.mdb"));
  createFile(marker, "");
}
