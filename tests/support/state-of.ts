import { join } from "node:path";
import { LMDB_EVENT_STORE_DATABASES } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";

/** Uses the state store, or that of keys, in the data folder of a stopped service, or in a backup. */
export async function withStateOf<Result>(
  dataDir: string,
  use: (state: StateStore) => Promise<Result>,
  store: "log" | "keys" = "log",
): Promise<Result> {
  const maxDbs = LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES;
  const environment = openEnvironment({ path: join(dataDir, store), maxDbs });
  const state = openLmdbStateStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    return await use(state);
  } finally {
    await state.close();
    await environment.close();
  }
}
