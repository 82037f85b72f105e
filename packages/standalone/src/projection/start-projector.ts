import { Worker } from "node:worker_threads";
import { StorageError } from "@travel-booking/engines/lmdb";
import { ProjectorClient } from "@travel-booking/projector";
import type { Logger } from "@travel-booking/runtime";
import type { EngineAddresses } from "../engines/local-storage.ts";
import { portOf } from "./port.ts";
import type { ProjectorThreadData } from "./projector-thread.ts";

export interface StartProjectorOptions {
  readonly settings: EngineAddresses & { readonly dataDir: string };
  readonly wakeUp: SharedArrayBuffer;
  readonly logger: Logger;
  readonly refresh: () => void;
  /** The projector stands still for good. */
  readonly onFatal: (error: Error) => void;
}

/** The projector in a thread of its own. */
export interface RunningProjector {
  readonly client: ProjectorClient;
  /** Resolves when it has written what it was folding, or at once where its thread has ended already. */
  stop(): Promise<void>;
}

/**
 * Starts the projector in a thread of its own, so that folding never holds up a request.
 * @throws StorageFault what is stored is damaged.
 */
export async function startProjector(options: StartProjectorOptions): Promise<RunningProjector> {
  const { settings, wakeUp, logger, refresh, onFatal } = options;
  const { dataDir, eventStoreUrl, mongodbUrl } = settings;
  const isEmbedded = eventStoreUrl === undefined && mongodbUrl === undefined;
  const worker = new Worker(new URL("./projector-thread.ts", import.meta.url), {
    workerData: { dataDir, wakeUp, eventStoreUrl, mongodbUrl } satisfies ProjectorThreadData,
    stdout: true,
    stderr: true,
  });
  for (const output of [worker.stdout, worker.stderr]) {
    output.on("data", (said: Buffer) => logger.debug({ said: String(said) }, "library output of the projector thread"));
  }
  let stopping = false;
  const fatal = (error: Error) => {
    if (!stopping) onFatal(asStorageFault(error));
  };
  const client = new ProjectorClient(portOf(worker), {
    refresh,
    onFatal: fatal,
    onProblem({ projection, error }) {
      // Of the embedded engines none comes back by itself.
      if (projection === null && isEmbedded) return fatal(unwritable(error));
      logger.error({ projection, err: error }, "a projection failed or skipped an event");
    },
  });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.once("error", (error) => client.handleDisconnect(error as Error));
  worker.once("exit", (code) => client.handleDisconnect(new Error(`the projector's thread ended with code ${code}`)));
  await client.started.catch((error: Error) => Promise.reject(asStorageFault(error)));
  return {
    client,
    async stop() {
      stopping = true;
      await Promise.race([client.stop(), ended]);
    },
  };
}

function unwritable(error: unknown): StorageError {
  const why = error instanceof Error ? error.message : String(error);
  return new StorageError(`the read models could not be written (${why}): free space or mend the disk, then restart`);
}

/** Between threads an error keeps its name and message, but not its class. */
function asStorageFault(error: Error): Error {
  return error.name === "DamagedStore" ? new StorageError(error.message, { cause: error }) : error;
}
