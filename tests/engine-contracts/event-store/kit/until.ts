import { setTimeout as pause } from "node:timers/promises";

const LOOK_AGAIN_MS = 5;
/** Generous: the machine may be busy. */
const GIVE_UP_AFTER_MS = 30_000;

/** Resolves when something outside of this process has come true. */
export async function waitUntil(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`still not true: ${isTrue}`);
    await pause(LOOK_AGAIN_MS);
  }
}
