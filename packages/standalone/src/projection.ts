import { MessageChannel, type Worker } from "node:worker_threads";
import { REBUILD_ALL, type ReadModelMark } from "@travel-booking/engines/event-store";
import { StorageError } from "@travel-booking/engines/lmdb";
import type { MongoConnection } from "@travel-booking/engines/mongodb";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { openLmdbReadModels } from "@travel-booking/engines/read-store/lmdb";
import { ProjectorClient } from "@travel-booking/projector/thread-client";
import { PROJECTION_VERSIONS } from "@travel-booking/read-models";
import type { ProjectorControl } from "@travel-booking/read-models/control";
import { OpenedReadModels } from "@travel-booking/read-models/sealed-words";
import type { ApiCore, Core, ServiceContext } from "@travel-booking/service-host";
import type { Engines } from "./engines.ts";
import { serveKeys } from "./keys-channel.ts";
import { dataFolders } from "./local-storage.ts";
import type { ProjectorThreadData } from "./projector-thread.ts";

/** The interface of the read models and their projector to the rest of the process. */
export interface ProjectionRuntime extends Pick<ApiCore, "models" | "progress" | "refreshCount"> {
  readonly projector: ProjectorControl;
  /** Marks of the log in the read models. None if the projector has already compared them with the log. */
  readonly marks: () => readonly ReadModelMark[];
}

/**
 * Starts the projector in its thread, if it has one (`beginProjectorThread`). Otherwise it runs under leases, which
 * other processes may take over.
 * @param keysChecked resolves when the keys are known to belong to the log. Else a word without key would seem erased.
 * @throws StorageError the read models were built from another log.
 */
export async function startProjection(
  host: ServiceContext,
  engines: Engines,
  core: Core,
  keysChecked: Promise<unknown>,
  thread: Worker | undefined,
): Promise<ProjectionRuntime> {
  const started =
    thread === undefined
      ? await (await import("./leased-projection.ts")).startLeasedProjector(host, engines, core)
      : await startThreadedProjector(host, engines, core, keysChecked, thread);
  return { ...started, models: new OpenedReadModels(started.models, core.words) };
}

/**
 * Runs the projector in its own thread, so that projecting never delays a request.
 * @throws StorageError a store is damaged.
 */
async function startThreadedProjector(
  host: ServiceContext,
  { local, mongo, keys }: Engines,
  { words, secretKeys: { secretKey } }: Core,
  keysChecked: Promise<unknown>,
  thread: Worker,
): Promise<ProjectionRuntime> {
  const { settings, logger, shutdown, fatalErrors } = host;
  const { dataDir, diskReserveMb, eventStoreUrl, mongodbUrl, readOnly, logLevel } = settings;
  const { port1, port2 } = new MessageChannel();
  words.keys.onErased = serveKeys(port1, keys, keysChecked);
  const data: ProjectorThreadData = {
    dataDir,
    diskReserveMb,
    wakeUp: local.appendNotifier.buffer,
    keys: port2,
    secretKey,
    heartbeats: host.heartbeats,
    eventStoreUrl,
    mongodbUrl,
    readOnly,
    logLevel,
  };
  let models: ReadModels | undefined;
  let refreshCount = 0;
  let stopping = false;
  const endProcess = fatalErrors.handlerFor("the projector can't go on");
  const onFatal = (error: Error) => {
    if (!stopping) endProcess(asStorageError(error, dataDir));
  };
  const client = new ProjectorClient(thread, {
    refresh() {
      refreshCount += 1;
      models?.refresh();
    },
    onFatal,
    onProblem({ projection, error }) {
      // An embedded engine that failed does not recover by itself.
      if (projection === null && eventStoreUrl === undefined && mongodbUrl === undefined) onFatal(unwritable(error));
      else logger.error({ projection, err: error }, "a projection failed");
    },
  });
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  thread.once("error", (error) => client.handleDisconnect(error as Error));
  thread.once("exit", (code) => client.handleDisconnect(new Error(`the projector's thread ended with code ${code}`)));
  // Stops the projector even while it still opens its stores (see `beginProjectorThread`).
  const stop = async () => {
    stopping = true;
    const stopped = client.started.then(
      () => client.stop(),
      () => undefined,
    );
    await Promise.race([stopped, ended]);
  };
  shutdown.register("projector", stop);
  fatalErrors.registerWriter(stop);
  thread.postMessage(data, [port2]);
  await client.started.catch((error: Error) => Promise.reject(asStorageError(error, dataDir)));
  models =
    local.read === undefined ? await readModelsOf(mongo) : openLmdbReadModels(local.read.root, PROJECTION_VERSIONS);
  return { models, projector: client, progress: client.progress, refreshCount: () => refreshCount, marks: () => [] };
}

async function readModelsOf(mongo: MongoConnection | undefined): Promise<ReadModels> {
  if (mongo === undefined) throw new Error("there is nothing to read from");
  const { openMongoReadModels } = await import("@travel-booking/engines/read-store/mongodb");
  return openMongoReadModels(mongo, PROJECTION_VERSIONS);
}

function unwritable(error: unknown): StorageError {
  const why = error instanceof Error ? error.message : String(error);
  return new StorageError(`the read models could not be written (${why}): free space or mend the disk, then restart`);
}

/** An error from another thread keeps its name and message, but not its class. */
function asStorageError(error: Error, dataDir: string): Error {
  if (error.name === "DamagedStore") return new StorageError(error.message, { cause: error });
  if (error.name !== "AnotherLog") return error;
  // The service ends, so it takes no command of an operator.
  const message = error.message.replace(REBUILD_ALL, `remove ${dataFolders(dataDir).read}`);
  return new StorageError(message, { cause: error });
}
