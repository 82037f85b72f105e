/** An endpoint may be limited to so many attempts a second. */
export const MAX_ATTEMPTS_PER_SECOND = 1_000;

/** Milliseconds by which an attempt may begin early or late, so that several may be reserved together. */
export const PACE_TOLERANCE = 25;
const WINDOW = 1_000;

/** When the next attempt is expected, in milliseconds since the epoch, if the pace is kept evenly. */
export type ExpectedAt = number;

/**
 * Reserves as many attempts as may begin within the tolerance from now (generic cell rate algorithm). The pace is slower by
 * what may begin early or late. So no more than `maxPerSecond` begin within any second.
 */
export function reserveAttempts(
  expectedAt: ExpectedAt,
  maxPerSecond: number,
  now: number,
): { readonly attempts: number; readonly expectedAt: ExpectedAt } | { readonly waitMs: number } {
  const interval = (WINDOW + 2 * PACE_TOLERANCE) / maxPerSecond;
  // No reservation at this pace is further ahead: the pace was slower, or the clock was set back.
  const isOfAnotherTime = expectedAt > now + interval + PACE_TOLERANCE;
  const from = isOfAnotherTime ? now : Math.max(expectedAt, now);
  const latest = now + PACE_TOLERANCE;
  if (from > latest) return { waitMs: Math.ceil(from - latest) };
  const attempts = 1 + Math.floor((latest - from) / interval);
  return { attempts, expectedAt: from + attempts * interval };
}
