import type { EventStore } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";

/** The event store of the embedded profile on a folder of its own; `work` gets it, and it is closed afterwards. */
export async function withEventLog<Result>(
  folder: string,
  work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const environment = openEnvironment({ path: folder, maxDbs: LMDB_EVENT_STORE_DATABASES });
  const store = openLmdbEventStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    return await work(store);
  } finally {
    await store.close();
    await environment.close();
  }
}
