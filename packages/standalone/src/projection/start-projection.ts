import { randomUUID } from "node:crypto";
import { Leases } from "@travel-booking/engines/leases";
import type { MongoConnection } from "@travel-booking/engines/mongodb";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { openLmdbReadModels } from "@travel-booking/engines/read-store/lmdb";
import { MongoProgress, openMongoReadModels, openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { LeasedProjections, projections } from "@travel-booking/projector";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { ProjectionRequestStore, RemoteProjectorControl } from "@travel-booking/read-models/control";
import { engineProblemLogger, type ServiceContext } from "@travel-booking/service-host";
import type { Engines } from "../engines/open-engines.ts";
import type { ProjectionRuntime } from "./projection-runtime.ts";
import { startProjector } from "./start-projector.ts";

/**
 * Has the read models kept up: by a thread of this process, which is the only one, where anything is embedded; under
 * leases that other processes may take over, where log and read models are on servers.
 */
export function startProjection(host: ServiceContext, engines: Engines): Promise<ProjectionRuntime> {
  const { eventStoreUrl } = host.settings;
  const { mongo } = engines;
  return eventStoreUrl !== undefined && mongo !== undefined
    ? startLeasedProjector(host, engines, mongo)
    : startThreadedProjector(host, engines);
}

async function startThreadedProjector(
  { settings, logger, shutdown, fatalErrors }: ServiceContext,
  { local, mongo }: Engines,
): Promise<ProjectionRuntime> {
  let models: ReadModels | undefined;
  let heard = 0;
  const { client, stop } = await startProjector({
    settings,
    wakeUp: local.appendNotifier.buffer,
    logger,
    refresh: () => {
      heard += 1;
      models?.refresh();
    },
    onFatal: fatalErrors.handlerFor("the projector can't go on"),
  });
  shutdown.register("projector", stop);
  if (local.read !== undefined) models = openLmdbReadModels(local.read.root);
  else if (mongo !== undefined) models = openMongoReadModels(mongo);
  else throw new Error("there is nothing to read from");
  return { models, control: client, progress: client.progress, refreshCount: () => heard };
}

async function startLeasedProjector(
  host: ServiceContext,
  { events, state }: Engines,
  mongo: MongoConnection,
): Promise<ProjectionRuntime> {
  const { logger, shutdown, fatalErrors } = host;
  const desk = new ProjectionRequestStore(state);
  const worker = randomUUID();
  const leased = new LeasedProjections({
    eventStore: events,
    readStore: openMongoReadStore(mongo),
    projections,
    leases: new Leases(state, { holder: worker }),
    requestStore: desk,
    instanceId: worker,
    onFatal: fatalErrors.handlerFor("the projector can't go on"),
    onProblem: ({ projection, error }) =>
      logger.error({ projection, err: error }, "a projection failed or skipped an event"),
  });
  leased.start();
  shutdown.register("projector", () => leased.stop());
  const progress = new MongoProgress(mongo, { onProblem: engineProblemLogger(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const control = new RemoteProjectorControl({
    requestStore: desk,
    projections: PROJECTION_NAMES,
    head: () => events.head(),
    positionOf: (projection) => progress.positionOf(projection),
  });
  return { models: openMongoReadModels(mongo, { progress }), control, progress, refreshCount: undefined };
}
