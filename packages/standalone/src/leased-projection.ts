import { randomUUID } from "node:crypto";
import { Leases } from "@travel-booking/engines/leases";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { startLeasedProjections } from "@travel-booking/projector";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { ServiceContext } from "@travel-booking/service-host";
import { followReadModels, sharedProjectorControl } from "@travel-booking/service-host/compose";
import type { Engines } from "./engines.ts";

/** Starts the projector where log and read models are both on servers, which other processes may use, too. */
export async function startLeasedProjector(host: ServiceContext, engines: Engines, words: SealedWords) {
  const { events, state, mongo } = engines;
  if (mongo === undefined) throw new Error("the read models are not on a server");
  const instanceId = randomUUID();
  startLeasedProjections(host, {
    eventStore: events,
    readStore: openMongoReadStore(mongo),
    words,
    leases: new Leases(state, instanceId),
    state,
    instanceId,
  });
  const progress = await followReadModels(host, mongo);
  const control = sharedProjectorControl(state, progress, () => events.head());
  return { models: progress.models, control, progress, refreshCount: undefined, marks: () => progress.marks() };
}
