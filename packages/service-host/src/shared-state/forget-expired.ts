import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, Shutdown } from "@travel-booking/runtime";

/** Real time. */
const FORGET_EVERY_MS = 60_000;
const FORGET_AT_ONCE = 1_000;

/** Idempotency records are kept for a day; what is over is forgotten bit by bit. */
export function forgetExpired(state: StateStore, clock: Clock, shutdown: Shutdown): void {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = forgetAll(state, clock.now()).catch(() => undefined);
  }, FORGET_EVERY_MS);
  timer.unref();
  shutdown.register("expired records", async () => {
    clearInterval(timer);
    await running;
  });
}

async function forgetAll(state: StateStore, now: number): Promise<void> {
  while ((await state.removeExpired(now, FORGET_AT_ONCE)) === FORGET_AT_ONCE);
}
