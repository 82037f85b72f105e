import type { EventStore } from "@travel-booking/event-store";
import { DamagedStore } from "@travel-booking/lmdb-environment";
import { type ProjectorClient, projections } from "@travel-booking/projector";
import { folders } from "../storage.ts";

/**
 * Read models that know of events the log does not have were made from another one: it was lost or put back to an
 * older state without them.
 * @throws DamagedStore
 */
export async function mustHoldTheLog(
  events: Pick<EventStore, "head">,
  { progress }: ProjectorClient,
  dataDir: string,
): Promise<void> {
  const head = await events.head();
  const ahead = projections.find(({ name }) => progress.positionOf(name) > head);
  if (ahead === undefined) return;
  const { log, read } = folders(dataDir);
  throw new DamagedStore(
    log,
    `it ends at position ${head}, and the read models in ${read} know of events up to ${progress.positionOf(ahead.name)}`,
  );
}
