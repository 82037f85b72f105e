import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type EventStore, NO_STREAM } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";

interface PoisonStream {
  readonly stream: string;
  readonly type: string;
}

const OF_A_BOOKING: PoisonStream = { stream: "booking-bkg_poison", type: "BookingCreated" };

/** Appends an event of no data, which no projection of its category can make anything of. */
export async function appendPoisonEvent(
  log: Pick<EventStore, "append">,
  { stream, type }: PoisonStream = OF_A_BOOKING,
): Promise<void> {
  await log.append(stream, NO_STREAM, [
    {
      id: randomUUID(),
      type,
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
}

/** The same in the log of a stopped service; by default an event of a booking. */
export async function appendPoisonEventsTo(
  dataDir: string,
  events: readonly PoisonStream[] = [OF_A_BOOKING],
): Promise<void> {
  // Room for the other databases of this environment, too.
  const environment = openEnvironment({ path: join(dataDir, "log"), maxDbs: LMDB_EVENT_STORE_DATABASES + 8 });
  const store = openLmdbEventStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  for (const event of events) await appendPoisonEvent(store, event);
  await store.close();
  await environment.close();
}
