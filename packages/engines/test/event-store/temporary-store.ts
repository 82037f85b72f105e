import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppendNotifier, EventStore, Upcast } from "../../src/event-store/index.ts";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "../../src/event-store/lmdb/lmdb-event-store.ts";
import { type Environment, openEnvironment } from "../../src/lmdb/index.ts";

export interface TemporaryStore {
  readonly folder: string;
  readonly environment: Environment;
  readonly store: EventStore;
  /** Closes the environment and removes the folder. */
  dispose(): Promise<void>;
}

export interface StoreOptions {
  readonly upcast?: Upcast;
  readonly appendNotifier?: AppendNotifier;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "event-store-"));
}

/** Opens a store in a folder, a fresh one unless told. A failed flush fails the test, by an uncaught error. */
export function openTemporaryStore(options: StoreOptions = {}, folder = temporaryFolder()): TemporaryStore {
  const environment = openEnvironment({ path: folder, maxDbs: LMDB_EVENT_STORE_DATABASES });
  const onFatal = (error: Error) => {
    throw error;
  };
  return {
    folder,
    environment,
    store: openLmdbEventStore(environment, { ...options, onFatal }),
    async dispose() {
      await environment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
