import { join } from "node:path";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { appendPoisonEvent } from "../../support/poison-event.ts";

/** Writes an event no projection of bookings can make anything of into the log of a stopped service. */
export async function appendPoisonEventTo(dataDir: string): Promise<void> {
  // Room for the other databases of this environment, too.
  const environment = openEnvironment({ path: join(dataDir, "log"), maxDbs: LMDB_EVENT_STORE_DATABASES + 8 });
  const store = openLmdbEventStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  await appendPoisonEvent(store);
  await store.close();
  await environment.close();
}
