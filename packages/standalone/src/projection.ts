import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { EventStore } from "@travel-booking/engines/event-store";
import { Leases } from "@travel-booking/engines/leases";
import { DamagedStore, StorageError } from "@travel-booking/engines/lmdb";
import type { MongoConnection } from "@travel-booking/engines/mongodb";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { openLmdbReadModels } from "@travel-booking/engines/read-store/lmdb";
import { MongoProgress, openMongoReadModels, openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { LeasedProjections, ProjectorClient, projections } from "@travel-booking/projector";
import { PROJECTION_NAMES, type ProjectionProgress } from "@travel-booking/read-models";
import {
  ProjectionRequestStore,
  type ProjectorControl,
  RemoteProjectorControl,
} from "@travel-booking/read-models/control";
import type { Settings } from "@travel-booking/runtime";
import { engineProblemLogger, type ServiceContext } from "@travel-booking/service-host";
import type { Engines } from "./engines.ts";
import { dataFolders } from "./local-storage.ts";
import type { ProjectorThreadData } from "./projector-thread.ts";

const CANNOT_GO_ON = "the projector can't go on";
const PROJECTION_PROBLEM = "a projection failed or skipped an event";

/** The interface of the read models and their projector to the rest of the process. */
interface ProjectionRuntime {
  readonly models: ReadModels;
  readonly control: ProjectorControl;
  readonly progress: ProjectionProgress;
  /** Grows with every change of a read model; absent if other processes change them, too. */
  readonly refreshCount: (() => number) | undefined;
}

/**
 * Starts the projector. It runs in a thread of this process if log or read models are embedded. If both are on servers,
 * it runs under leases that other processes may take over.
 * @throws DamagedStore the read models are ahead of the log.
 */
export async function startProjection(host: ServiceContext, engines: Engines): Promise<ProjectionRuntime> {
  const { mongo } = engines;
  const runtime =
    host.settings.eventStoreUrl !== undefined && mongo !== undefined
      ? await startLeasedProjector(host, engines, mongo)
      : await startThreadedProjector(host, engines);
  await assertReadModelsNotAhead(engines.events, runtime.progress, host.settings);
  return runtime;
}

/**
 * Read models with events that the log lacks come from another log: the log was lost, or restored to an older state.
 */
async function assertReadModelsNotAhead(
  events: EventStore,
  progress: ProjectionProgress,
  { dataDir, eventStoreUrl, mongodbUrl }: Settings,
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

async function startLeasedProjector(
  { logger, shutdown, fatalErrors }: ServiceContext,
  { events, state }: Engines,
  mongo: MongoConnection,
): Promise<ProjectionRuntime> {
  const requestStore = new ProjectionRequestStore(state);
  const instanceId = randomUUID();
  const leased = new LeasedProjections({
    eventStore: events,
    readStore: openMongoReadStore(mongo),
    projections,
    leases: new Leases(state, { holder: instanceId }),
    requestStore,
    instanceId,
    onFatal: fatalErrors.handlerFor(CANNOT_GO_ON),
    onProblem: ({ projection, error }) => logger.error({ projection, err: error }, PROJECTION_PROBLEM),
  });
  leased.start();
  shutdown.register("projector", () => leased.stop());
  const progress = new MongoProgress(mongo, { onProblem: engineProblemLogger(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const control = new RemoteProjectorControl({
    requestStore,
    projections: PROJECTION_NAMES,
    head: () => events.head(),
    positionOf: (projection) => progress.positionOf(projection),
  });
  return { models: openMongoReadModels(mongo, { progress }), control, progress, refreshCount: undefined };
}

/**
 * Runs the projector in its own thread, so that projecting never delays a request. @throws StorageError a store is
 * damaged.
 */
async function startThreadedProjector(host: ServiceContext, { local, mongo }: Engines): Promise<ProjectionRuntime> {
  const { settings, logger, shutdown, fatalErrors } = host;
  const { dataDir, eventStoreUrl, mongodbUrl } = settings;
  const workerData: ProjectorThreadData = { dataDir, wakeUp: local.appendNotifier.buffer, eventStoreUrl, mongodbUrl };
  const worker = new Worker(new URL("./projector-thread.ts", import.meta.url), {
    workerData,
    stdout: true,
    stderr: true,
  });
  for (const output of [worker.stdout, worker.stderr]) {
    output.on("data", (said: Buffer) => logger.debug({ said: String(said) }, "library output of the projector thread"));
  }
  let models: ReadModels | undefined;
  let refreshCount = 0;
  let stopping = false;
  const endProcess = fatalErrors.handlerFor(CANNOT_GO_ON);
  const onFatal = (error: Error) => {
    if (!stopping) endProcess(asStorageError(error));
  };
  const client = new ProjectorClient(worker, {
    refresh() {
      refreshCount += 1;
      models?.refresh();
    },
    onFatal,
    onProblem({ projection, error }) {
      // An embedded engine that failed does not recover by itself.
      if (projection === null && eventStoreUrl === undefined && mongodbUrl === undefined) onFatal(unwritable(error));
      else logger.error({ projection, err: error }, PROJECTION_PROBLEM);
    },
  });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.once("error", (error) => client.handleDisconnect(error as Error));
  worker.once("exit", (code) => client.handleDisconnect(new Error(`the projector's thread ended with code ${code}`)));
  await client.started.catch((error: Error) => Promise.reject(asStorageError(error)));
  shutdown.register("projector", async () => {
    stopping = true;
    await Promise.race([client.stop(), ended]);
  });
  if (local.read !== undefined) models = openLmdbReadModels(local.read.root);
  else if (mongo !== undefined) models = openMongoReadModels(mongo);
  else throw new Error("there is nothing to read from");
  return { models, control: client, progress: client.progress, refreshCount: () => refreshCount };
}

function unwritable(error: unknown): StorageError {
  const why = error instanceof Error ? error.message : String(error);
  return new StorageError(`the read models could not be written (${why}): free space or mend the disk, then restart`);
}

/** Between threads an error keeps its name and message, but not its class. */
function asStorageError(error: Error): Error {
  return error.name === "DamagedStore" ? new StorageError(error.message, { cause: error }) : error;
}
