import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, Shutdown } from "@travel-booking/runtime";

/** Real time. */
const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH_SIZE = 1_000;

/** Idempotency records are kept for a day; what is over is forgotten bit by bit. */
export function sweepExpired(state: StateStore, clock: Clock, shutdown: Shutdown): void {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = sweepAll(state, clock.now()).catch(() => undefined);
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  shutdown.register("expired records", async () => {
    clearInterval(timer);
    await running;
  });
}

async function sweepAll(state: StateStore, now: number): Promise<void> {
  while ((await state.removeExpired(now, SWEEP_BATCH_SIZE)) === SWEEP_BATCH_SIZE);
}
