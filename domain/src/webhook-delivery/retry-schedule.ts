import { HOUR, MINUTE, SECOND } from "../shared/durations.ts";

/** Pauses before each attempt at a delivery, in milliseconds; the first is made at once (docs/rules.md#webhook-retries). */
export const RETRY_DELAYS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** So that receivers that failed together are not asked again together. */
const JITTER = 0.2;
/** How far a receiver's own wish may stretch a pause. */
const MAX_DELAY_FACTOR = 2;

/**
 * Milliseconds until the next attempt, when so many have failed; undefined: there was the last one.
 * @param chance from 0 to 1, where in the jitter this pause falls.
 * @param retryAfter milliseconds the receiver asked for; null: it did not. Heeded between one and two times the pause.
 */
export function retryDelay(failures: number, chance: number, retryAfter: number | null): number | undefined {
  const pause = RETRY_DELAYS[failures];
  if (pause === undefined) return undefined;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * chance));
  return retryAfter === null ? jittered : Math.max(jittered, Math.min(retryAfter, MAX_DELAY_FACTOR * pause));
}

/** No delivery is exhausted sooner after its first attempt, whatever the jitter. */
export const MIN_TIME_TO_EXHAUSTION = RETRY_DELAYS.reduce((sum, pause) => sum + pause) * (1 - JITTER);
