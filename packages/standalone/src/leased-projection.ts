import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { startLeasedProjections } from "@travel-booking/projector";
import type { Core, ServiceContext } from "@travel-booking/service-host";
import { followReadModels, sharedProjectorControl } from "@travel-booking/service-host/compose";
import type { Engines } from "./engines.ts";

/** Starts the projector if log and read models are both on servers, because other processes may use them, too. */
export async function startLeasedProjector(host: ServiceContext, { events, mongo, instance }: Engines, core: Core) {
  if (mongo === undefined || instance === undefined) throw new Error("the read models are not on a server");
  startLeasedProjections(host, { ...core, instance }, { eventStore: events, readStore: openMongoReadStore(mongo) });
  const progress = await followReadModels(host, mongo);
  const projector = sharedProjectorControl(core.state, progress, () => events.head());
  return { models: progress.models, projector, progress, refreshCount: undefined, marks: () => progress.marks() };
}
