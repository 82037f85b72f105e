import type { Shutdown } from "@travel-booking/runtime";
import { sweepAbandonedUploads } from "../documents/sweep-abandoned-uploads.ts";
import type { CommandServices } from "../services.ts";

/** Real time. */
const SWEEP_INTERVAL_MS = 60_000;
/** Far longer than a request may take to arrive and to be answered. */
const ABANDONED_AFTER_MS = 15 * 60_000;

/**
 * Removes, again and again, the files of uploads nobody works on any more. `alone`: nobody else uses the stores, so
 * what is there at the start was left by a process that is no more.
 */
export async function startUploadSweeper(
  services: CommandServices,
  soleInstance: boolean,
  shutdown: Shutdown,
): Promise<void> {
  const sweep = (begunBefore: number) =>
    sweepAbandonedUploads(services, begunBefore).catch((error: unknown) =>
      services.logger.warn({ err: error }, "abandoned uploads could not be removed"),
    );
  if (soleInstance) await sweep(Date.now());
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => sweep(Date.now() - ABANDONED_AFTER_MS));
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  shutdown.register("uploads", async () => {
    clearInterval(timer);
    await running;
  });
}
