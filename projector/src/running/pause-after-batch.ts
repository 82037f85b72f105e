import { setTimeout } from "node:timers/promises";

/** How long to rest for a millisecond of work. */
const PAUSE_PER_WORK_MS = 2;
/** Real milliseconds: what a reader may have to wait longer because of it. */
const MAX_PAUSE_MS = 25;

/**
 * A pause after a batch that took so many milliseconds. Under load it lets more events come together: a document that
 * many of them touch is then made and written once, and processors and disk are left to the requests. A single event
 * after a quiet moment is folded at once, because the pause comes behind the work.
 */
export async function pauseAfterBatch(workedMs: number, signal: AbortSignal): Promise<void> {
  const pause = Math.min(PAUSE_PER_WORK_MS * workedMs, MAX_PAUSE_MS);
  await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
}
