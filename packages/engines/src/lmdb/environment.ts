import { join, resolve } from "node:path";
import { createFile, isThere, makeFolder, syncFile } from "@travel-booking/runtime/durable-files";
import { Mutex } from "@travel-booking/runtime/real-time";
import { open, type RootDatabase } from "lmdb";
import type { DiskSpace } from "../disk-space/index.ts";
import { checkDataFile } from "./data-file.ts";
import { suppressBatchRejections, toStorageError } from "./storage-errors.ts";
import { WriteQueue } from "./write-queue.ts";

export interface EnvironmentOptions {
  /** A folder for this environment alone; made if missing. */
  readonly path: string;
  /** Maximum number of named databases. */
  readonly maxDbs: number;
  /** Bytes of a page in a new environment; the operating system's page size by default. */
  readonly pageSize?: number;
  /** For the thread that writes: stores refuse a write that the disk has no room for; absent: none. */
  readonly disk?: DiskSpace | undefined;
  /** Nothing may be written. What is opened must be there. */
  readonly readOnly?: boolean;
}

/**
 * Free pages whose numbers lmdb keeps in memory, and merges with the pages a commit frees: enough for a few commits.
 * With the defaults, 50,000 and 75,000, a commit takes long after a build, or after a generation is dropped.
 */
const FREE_LIST = { maxFreeSpaceToLoad: 1_000, maxFreeSpaceToRetain: 2_000 };

/** An LMDB environment: one file, one writer at a time, transactions over all its databases. */
export class Environment {
  readonly path: string;
  readonly disk: DiskSpace | undefined;
  readonly maxDbs: number;
  /** For writes whose order matters. */
  readonly writes = new WriteQueue(() => this.root);
  #root: RootDatabase<unknown, string>;
  readonly #copies = new Mutex();

  constructor(root: RootDatabase<unknown, string>, { path, disk, maxDbs }: EnvironmentOptions) {
    this.path = path;
    this.disk = disk;
    this.maxDbs = maxDbs;
    this.#root = root;
  }

  /** `rewriteEnvironment` replaces it. */
  get root(): RootDatabase<unknown, string> {
    return this.#root;
  }

  /** Runs operations that read the whole file, one at a time. */
  copyAlone<Result>(copy: () => Promise<Result>): Promise<Result> {
    return this.#copies.runExclusive(copy);
  }

  /** Switches to another data file. Must not be called while anything reads or writes. */
  replaceBy({ root }: Environment): Promise<void> {
    const before = this.#root;
    this.#root = root;
    return before.close();
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await this.#copies.runExclusive(() => this.writes.finished());
    await this.#root.close();
  }
}

/**
 * Opens an environment so that readers only see flushed data. Only one process at a time may have it open: see
 * `lockDataFolder`.
 * @throws DamagedStore the file is damaged or truncated.
 * @throws DataFolderNotWritable
 * @throws DataFolderFull
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const path = resolve(options.path);
  const { readOnly = false } = options;
  try {
    if (readOnly) checkDataFile(join(path, DATA_FILE), false);
    else prepare(path);
    const root = open<unknown, string>({
      path,
      maxDbs: options.maxDbs,
      ...(options.pageSize !== undefined && { pageSize: options.pageSize }),
      noSubdir: false,
      readOnly,
      overlappingSync: false,
      ...FREE_LIST,
      encoding: "binary",
    });
    if (!readOnly) markCreated(path);
    suppressBatchRejections(root);
    options.disk?.keepHeadroomOf(join(path, DATA_FILE));
    return new Environment(root, { ...options, path });
  } catch (error) {
    throw toStorageError(path, error);
  }
}

/**
 * Writes a consistent copy to a new folder, while the environment is in use.
 * @throws DataFolderFull
 * @throws DataFolderNotWritable also if there is already something at `path`.
 */
export async function backup(environment: Environment, path: string): Promise<void> {
  const target = resolve(path);
  try {
    makeFolder(target);
    await environment.copyAlone(() => environment.root.backup(target, false));
    markCreated(target);
  } catch (error) {
    throw toStorageError(target, error);
  }
}

/** In the environment's folder. */
export const DATA_FILE = "data.mdb";

/** A file that marks a used environment, so that a lost data file is noticed. */
const CREATED = "created";

function prepare(path: string): void {
  makeFolder(path);
  checkDataFile(join(path, DATA_FILE), !isThere(join(path, CREATED)));
}

function markCreated(path: string): void {
  const marker = join(path, CREATED);
  if (isThere(marker)) return;
  syncFile(join(path, DATA_FILE));
  createFile(marker, "");
}
