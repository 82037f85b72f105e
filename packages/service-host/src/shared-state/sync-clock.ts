import type { SandboxClock, Shutdown } from "@travel-booking/runtime";

/** Real time: how far an instance may be behind when another has moved the clock. */
export const CLOCK_SYNC_INTERVAL_MS = 100;

/** Takes over, again and again, what another instance makes of the clock; its own time never goes back. */
export function syncClock(clock: SandboxClock, shutdown: Shutdown): void {
  let refreshing: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    refreshing = clock
      .refresh()
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  }, CLOCK_SYNC_INTERVAL_MS);
  timer.unref();
  shutdown.register("clock", async () => {
    clearInterval(timer);
    await refreshing;
  });
}
