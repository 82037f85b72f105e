import { Worker } from "node:worker_threads";
import { ProjectorClient } from "@travel-booking/projector";
import type { Logger } from "@travel-booking/runtime";
import { portOf } from "./port.ts";
import type { ProjectorThreadData } from "./projector-thread.ts";

export interface StartProjectorOptions extends ProjectorThreadData {
  readonly logger: Logger;
  readonly refresh: () => void;
  /** The projector stands still for good. */
  readonly onFatal: (error: Error) => void;
}

/** Starts the projector in a thread of its own, so that folding never holds up a request. */
export async function startProjector(options: StartProjectorOptions): Promise<ProjectorClient> {
  const { dataDir, wakeUp, logger, refresh, onFatal } = options;
  const worker = new Worker(new URL("./projector-thread.ts", import.meta.url), {
    workerData: { dataDir, wakeUp } satisfies ProjectorThreadData,
  });
  let stopping = false;
  const client = new ProjectorClient(portOf(worker), {
    refresh,
    onFatal: (error) => {
      if (!stopping) onFatal(error);
    },
    onProblem: ({ projection, error }) => logger.error({ projection, err: error }, "a projection has a problem"),
  });
  worker.once("error", (error) => client.disconnected(error as Error));
  worker.once("exit", (code) => client.disconnected(new Error(`the projector's thread ended with code ${code}`)));
  await client.started;
  const stop = client.stop.bind(client);
  client.stop = async () => {
    stopping = true;
    await stop();
    await worker.terminate();
  };
  return client;
}
