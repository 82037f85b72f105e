import { join } from "node:path";
import { type EventStore, LMDB_EVENT_STORE_DATABASES, openLmdbEventStore, WakeUp } from "@travel-booking/event-store";
import {
  DamagedStore,
  type Environment,
  lockDataFolder,
  openEnvironment,
  StorageFault,
} from "@travel-booking/lmdb-environment";
import { READ_STORE_DATABASES } from "@travel-booking/read-store";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore, type StateStore } from "@travel-booking/state-store";

/** The embedded engines of one data folder. */
export interface Storage {
  readonly log: Environment;
  readonly read: Environment;
  readonly events: EventStore;
  readonly state: StateStore;
  /** Tells the projector's thread that there is something new. */
  readonly wakeUp: WakeUp;
  close(): Promise<void>;
}

export const folders = (dataDir: string) => ({ log: join(dataDir, "log"), read: join(dataDir, "read") });

/** The environment of the log and of all state that is no read model; written by the request thread only. */
export function openLog(dataDir: string): Environment {
  return openEnvironment({
    path: folders(dataDir).log,
    maxDbs: LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES,
  });
}

/**
 * The environment of the read models; written by the projector's thread only.
 * @throws StorageFault
 */
export function openRead(dataDir: string): Environment {
  const { read: path } = folders(dataDir);
  try {
    return openEnvironment({ path, maxDbs: READ_STORE_DATABASES });
  } catch (error) {
    if (!(error instanceof DamagedStore)) throw error;
    throw new StorageFault(`${error.message}, or remove ${path}, and it is built anew from the log`, { cause: error });
  }
}

/**
 * Takes the data folder for this process and opens what is in it.
 * @param onFatal the log can't be written any more: the process has to end.
 * @throws StorageFault in use, not writable, full or damaged; its message is one line for an operator.
 */
export function openStorage(dataDir: string, onFatal: (error: Error) => void): Storage {
  const lock = lockDataFolder(dataDir);
  const wakeUp = new WakeUp();
  const log = openLog(dataDir);
  const read = openRead(dataDir);
  const events = openLmdbEventStore(log, { wakeUp, onFatal });
  const state = openLmdbStateStore(log, { onFatal });
  return {
    log,
    read,
    events,
    state,
    wakeUp,
    async close() {
      await events.close();
      await state.close();
      await log.close();
      await read.close();
      lock.release();
    },
  };
}
