import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { LMDB_EVENT_STORE_DATABASES, NO_STREAM, openLmdbEventStore } from "@travel-booking/event-store";
import { openEnvironment } from "@travel-booking/lmdb-environment";

/** Writes an event no projection of bookings can make anything of into the log of a stopped service. */
export async function poison(dataDir: string): Promise<void> {
  // Room for the other databases of this environment, too.
  const environment = openEnvironment({ path: join(dataDir, "log"), maxDbs: LMDB_EVENT_STORE_DATABASES + 8 });
  const store = openLmdbEventStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  await store.append("booking-bkg_poison", NO_STREAM, [
    {
      id: randomUUID(),
      type: "BookingCreated",
      version: 1,
      at: Date.now(),
      data: null,
      metadata: {
        accountId: "acc_poison",
        actor: { kind: "system", id: "test" },
        requestId: null,
        commandId: randomUUID(),
        causationId: null,
      },
    },
  ]);
  await store.close();
  await environment.close();
}
