import { randomUUID } from "node:crypto";
import { Leases } from "@travel-booking/engines/leases";
import type { MongoConnection } from "@travel-booking/engines/mongodb";
import {
  MongoProgress,
  openLmdbReadModels,
  openMongoReadModels,
  openMongoReadStore,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { LeasedProjections, projections } from "@travel-booking/projector";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { ProjectionDesk, SharedProjectorControl } from "@travel-booking/read-models/control";
import { type Host, logged } from "@travel-booking/service-host";
import type { Engines } from "../engines/open-engines.ts";
import type { Projecting } from "./projecting.ts";
import { startProjector } from "./start-projector.ts";

/**
 * Has the read models kept up: by a thread of this process, which is the only one, where anything is embedded; under
 * leases that other processes may take over, where log and read models are on servers.
 */
export function startProjecting(host: Host, engines: Engines): Promise<Projecting> {
  const { eventStoreUrl } = host.settings;
  const { mongo } = engines;
  return eventStoreUrl !== undefined && mongo !== undefined
    ? startSharing(host, engines, mongo)
    : startOwnThread(host, engines);
}

async function startOwnThread(
  { settings, logger, shutdown, faults }: Host,
  { local, mongo }: Engines,
): Promise<Projecting> {
  let models: ReadModels | undefined;
  let heard = 0;
  const { client, stop } = await startProjector({
    settings,
    wakeUp: local.wakeUp.buffer,
    logger,
    refresh: () => {
      heard += 1;
      models?.refresh();
    },
    onFatal: faults.report("the projector can't go on"),
  });
  shutdown.register("projector", stop);
  if (local.read !== undefined) models = openLmdbReadModels(local.read.root);
  else if (mongo !== undefined) models = openMongoReadModels(mongo);
  else throw new Error("there is nothing to read from");
  return { models, control: client, progress: client.progress, heard: () => heard };
}

async function startSharing(host: Host, { events, state }: Engines, mongo: MongoConnection): Promise<Projecting> {
  const { logger, shutdown, faults } = host;
  const desk = new ProjectionDesk(state);
  const worker = randomUUID();
  const leased = new LeasedProjections({
    eventStore: events,
    readStore: openMongoReadStore(mongo),
    projections,
    leases: new Leases(state, { holder: worker }),
    desk,
    worker,
    onFatal: faults.report("the projector can't go on"),
    onProblem: ({ projection, error }) => logger.error({ projection, err: error }, "a projection has a problem"),
  });
  leased.start();
  shutdown.register("projector", () => leased.stop());
  const progress = new MongoProgress(mongo, { onProblem: logged(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const control = new SharedProjectorControl({
    desk,
    projections: PROJECTION_NAMES,
    head: () => events.head(),
    positionOf: (projection) => progress.positionOf(projection),
  });
  return { models: openMongoReadModels(mongo, { progress }), control, progress, heard: undefined };
}
