import { setTimeout } from "node:timers/promises";

/** How long to rest for a millisecond of work. */
const REST_PER_WORK = 2;
/** Real milliseconds: what a reader may have to wait longer because of it. */
const LONGEST_REST_MS = 25;

/**
 * A pause after a batch that took so many milliseconds. Under load it lets more events come together: a document that
 * many of them touch is then made and written once, and processors and disk are left to the requests. A single event
 * after a quiet moment is folded at once, because the pause comes behind the work.
 */
export async function rest(workedMs: number, signal: AbortSignal): Promise<void> {
  const pause = Math.min(REST_PER_WORK * workedMs, LONGEST_REST_MS);
  await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
}
