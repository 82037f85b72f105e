import type { Instant } from "../shared/decision.ts";
import { HOUR, MINUTE, SECOND } from "../shared/time.ts";
import { type Lane, NO_ATTEMPTS } from "./lane.ts";

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

/** Spreads the retries of receivers that failed together. */
const JITTER = 0.2;
/** Limits how far `Retry-After` extends a delay, as a multiple of it. */
const MAX_DELAY_FACTOR = 2;

/**
 * Milliseconds until the next attempt after this many failures; undefined after the last attempt.
 * @param chance from 0 to 1, the place of this pause within the jitter.
 * @param retryAfter milliseconds the receiver asked for, or null. Respected between one and two times the pause.
 */
export function retryDelay(failures: number, chance: number, retryAfter: number | null): number | undefined {
  const pause = RETRY_DELAYS[failures];
  if (pause === undefined) return undefined;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * chance));
  return retryAfter === null ? jittered : Math.max(jittered, Math.min(retryAfter, MAX_DELAY_FACTOR * pause));
}

/** The shortest time from a delivery's first attempt until it is exhausted, whatever the jitter. */
export const MIN_TIME_TO_EXHAUSTION = RETRY_DELAYS.reduce((sum, pause) => sum + pause) * (1 - JITTER);

/**
 * The lane after a successful delivery. If a replay added earlier events meanwhile, the delivery stays pending: it follows
 * them once more, so that the receiver gets the newest last.
 */
export function afterDelivery(lane: Lane, sort: string): Lane {
  const [head, ...owed] = lane.owed;
  return head?.sort === sort ? { ...lane, ...NO_ATTEMPTS, owed } : lane;
}

/** The result of a failed attempt. */
export interface FailedAttempt {
  readonly lane: Lane;
  /** When the next attempt is due. Null after the last attempt; the lane then continues with the next delivery. */
  readonly nextAt: Instant | null;
}

interface AttemptFailure {
  readonly at: Instant;
  /** From 0 to 1, the place of the pause within the jitter. */
  readonly chance: number;
  /** Milliseconds the receiver asked for, or null. */
  readonly retryAfter: number | null;
}

/** Records a failed attempt. Ignored if another delivery is first in the lane meanwhile. */
export function afterFailedAttempt(
  lane: Lane,
  sort: string,
  { at, chance, retryAfter }: AttemptFailure,
): FailedAttempt {
  const [head] = lane.owed;
  if (head?.sort !== sort) return { lane, nextAt: at };
  const failures = lane.failures + 1;
  const firstAt = lane.firstAt ?? at;
  const pause = retryDelay(failures, chance, retryAfter);
  if (pause !== undefined) {
    const nextAt = at + pause;
    return { lane: { ...lane, failures, firstAt, triedAt: at, dueAt: nextAt }, nextAt };
  }
  const exhausted = [...lane.exhausted, { ...head, firstAt, exhaustedAt: at }];
  return { lane: { ...afterDelivery(lane, sort), exhausted }, nextAt: null };
}
