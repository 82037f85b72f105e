import { Worker } from "node:worker_threads";
import type { ServiceContext } from "@travel-booking/service-host/run";

/** Three semi-spaces of sixteen megabytes, as `npm start` gives the request thread (docs/operations.md#memory). */
const YOUNG_GENERATION_MB = 48;

/**
 * Begins the projector's thread. It loads its modules, then waits for a message about its engines
 * (`ProjectorThreadData`). Undefined if log and read models are on servers, because then leases decide where it runs.
 */
export function beginProjectorThread({ settings, logger, shutdown }: ServiceContext): Worker | undefined {
  if (settings.eventStoreUrl !== undefined && settings.mongodbUrl !== undefined) return undefined;
  const thread = new Worker(new URL("./projector-thread.ts", import.meta.url), {
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  for (const output of [thread.stdout, thread.stderr]) {
    output.on("data", (said: Buffer) => logger.debug({ said: String(said) }, "library output of the projector thread"));
  }
  const loaded = new Promise<void>((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
  // A process aborts if it ends while one of its threads is in LMDB's native code.
  shutdown.register("loading the projector", () => loaded);
  return thread;
}
