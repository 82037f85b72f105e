import { Worker } from "node:worker_threads";
import type { ServiceContext } from "@travel-booking/service-host/run";

/** Three semi-spaces of sixteen megabytes, as `npm start` gives the request thread (docs/operations.md#memory). */
const YOUNG_GENERATION_MB = 48;

/**
 * Begins the projector's thread, which loads its modules and then waits for a message with its engines
 * (`ProjectorThreadData`). Undefined where log and read models are both on servers: the projector runs under leases then.
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
  // A process that ends while a thread of it is in LMDB's native code aborts.
  shutdown.register("loading the projector", () => loaded);
  return thread;
}
