import { existsSync } from "node:fs";
import { join } from "node:path";
import { DiskSpace } from "@travel-booking/engines/disk-space";
import { AppendNotifier } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES } from "@travel-booking/engines/event-store/lmdb";
import {
  DamagedStore,
  discardRewrite,
  type Environment,
  lockDataFolder,
  openEnvironment,
  StorageError,
} from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES, LMDB_READ_STORE_PAGE } from "@travel-booking/engines/read-store/lmdb";
import { LMDB_STATE_STORE_DATABASES } from "@travel-booking/engines/state-store/lmdb";
import type { Settings } from "@travel-booking/runtime";

/** The settings that say where data is stored. */
export type StorageSettings = Pick<Settings, "dataDir" | "diskReserveMb" | "eventStoreUrl" | "mongodbUrl" | "readOnly">;

export const dataFolders = (dataDir: string) => ({
  log: join(dataDir, "log"),
  read: join(dataDir, "read"),
  /** The keys of personal words, apart from the data sealed under them (docs/privacy.md). */
  keys: join(dataDir, "keys"),
  /** Uploaded files. */
  files: join(dataDir, "files"),
});

const LOG_DATABASES = LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES;

interface OpenedFor {
  readonly disk?: DiskSpace | undefined;
  readonly readOnly?: boolean;
}

/** The environment of the log and of all state except read models. Only the request thread writes it. */
export function openLogEnvironment(dataDir: string, { disk, readOnly = false }: OpenedFor = {}): Environment {
  return openEnvironment({ path: dataFolders(dataDir).log, disk, readOnly, maxDbs: LOG_DATABASES });
}

/** The environment of the keys. Only the request thread writes it. */
export function openKeys(dataDir: string, { disk, readOnly = false }: OpenedFor = {}): Environment {
  return openEnvironment({ path: dataFolders(dataDir).keys, disk, readOnly, maxDbs: LMDB_STATE_STORE_DATABASES });
}

/**
 * The environment of the read models. Only the projector's thread writes it.
 * @throws StorageError
 */
export function openReadModelEnvironment(dataDir: string, disk?: DiskSpace): Environment {
  const { read: path } = dataFolders(dataDir);
  try {
    return openEnvironment({ path, disk, maxDbs: LMDB_READ_STORE_DATABASES, pageSize: LMDB_READ_STORE_PAGE });
  } catch (error) {
    if (!(error instanceof DamagedStore)) throw error;
    throw new StorageError(`${error.message}, or remove ${path}, and it is built anew from the log`, { cause: error });
  }
}

const MEGABYTE = 1_048_576;

/** The disk of the data folder, with the space to keep free on it. */
export function dataDisk({ dataDir, diskReserveMb }: Pick<Settings, "dataDir" | "diskReserveMb">): DiskSpace {
  return new DiskSpace(dataDir, { reserve: diskReserveMb * MEGABYTE });
}

/** The open parts of the data folder. */
export interface LocalStorage {
  /** Undefined where log and state are servers. */
  readonly log: Environment | undefined;
  /** Undefined where the read models are on a server. */
  readonly read: Environment | undefined;
  /** The keys of personal words. Undefined where state is on a server. */
  readonly keys: Environment | undefined;
  /** Undefined where log and read models are on servers, because hardly anything is written here then. */
  readonly disk: DiskSpace | undefined;
  /** Wakes the projector's thread after an append. */
  readonly appendNotifier: AppendNotifier;
  close(): Promise<void>;
}

/**
 * Locks the data folder for this process, and opens its stores.
 * @throws StorageError the folder is in use, not writable, full or damaged. The message is one line for an operator.
 */
export async function openLocalStorage(settings: StorageSettings): Promise<LocalStorage> {
  const { dataDir, eventStoreUrl, mongodbUrl, readOnly } = settings;
  const { log: logFolder, keys: keysFolder } = dataFolders(dataDir);
  if (readOnly && !existsSync(logFolder))
    throw new StorageError(`READ_ONLY is set, and nothing is stored in ${dataDir}`);
  const lock = lockDataFolder(dataDir);
  if (!readOnly) for (const folder of [logFolder, keysFolder]) discardRewrite(folder);
  const disk = eventStoreUrl === undefined || mongodbUrl === undefined ? dataDisk(settings) : undefined;
  const log = disk && openLogEnvironment(dataDir, { disk, readOnly });
  const read = mongodbUrl === undefined ? openReadModelEnvironment(dataDir) : undefined;
  const keys = mongodbUrl === undefined ? openKeys(dataDir, { disk, readOnly }) : undefined;
  return {
    log,
    read,
    keys,
    disk,
    appendNotifier: new AppendNotifier(),
    async close() {
      await log?.close();
      await read?.close();
      await keys?.close();
      lock.release();
    },
  };
}
