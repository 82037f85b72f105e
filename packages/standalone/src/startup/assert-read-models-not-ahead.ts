import type { EventStore } from "@travel-booking/engines/event-store";
import { DamagedStore } from "@travel-booking/engines/lmdb";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import type { Settings } from "@travel-booking/runtime";
import { dataFolders } from "../engines/local-storage.ts";

/**
 * Read models that know of events the log does not have were made from another one: it was lost or put back to an
 * older state without them.
 * @throws DamagedStore
 */
export async function assertReadModelsNotAhead(
  events: Pick<EventStore, "head">,
  progress: ProjectionProgress,
  { dataDir, eventStoreUrl, mongodbUrl }: Pick<Settings, "dataDir" | "eventStoreUrl" | "mongodbUrl">,
): Promise<void> {
  const head = await events.head();
  const ahead = PROJECTION_NAMES.find((name) => progress.positionOf(name) > head);
  if (ahead === undefined) return;
  const { log, read } = dataFolders(dataDir);
  throw new DamagedStore(
    eventStoreUrl === undefined ? log : "the log that EVENT_STORE_URL names",
    `it ends at position ${head}, and the read models ${
      mongodbUrl === undefined ? `in ${read}` : "that MONGODB_URL names"
    } know of events up to ${progress.positionOf(ahead)}`,
  );
}
