import type { Shutdown } from "@travel-booking/runtime";
import { sweepUploads } from "../documents/sweep-uploads.ts";
import type { CommandServices } from "../services.ts";

/** Real time. */
const SWEEP_EVERY_MS = 60_000;
/** Far longer than a request may take to arrive and to be answered. */
const LEFT_AFTER_MS = 15 * 60_000;

/**
 * Removes, again and again, the files of uploads nobody works on any more. `alone`: nobody else uses the stores, so
 * what is there at the start was left by a process that is no more.
 */
export async function sweepLeftUploads(services: CommandServices, alone: boolean, shutdown: Shutdown): Promise<void> {
  const sweep = (begunBefore: number) =>
    sweepUploads(services, begunBefore).catch((error: unknown) =>
      services.logger.warn({ err: error }, "files of no use could not be removed"),
    );
  if (alone) await sweep(Date.now());
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => sweep(Date.now() - LEFT_AFTER_MS));
  }, SWEEP_EVERY_MS);
  timer.unref();
  shutdown.register("uploads", async () => {
    clearInterval(timer);
    await running;
  });
}
