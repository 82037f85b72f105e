import type { Instant } from "../shared/decision.ts";
import { type Lane, NO_ATTEMPTS } from "./lane.ts";
import { retryDelay } from "./retry-schedule.ts";

/** A delivery has succeeded. */
export function afterDelivery(lane: Lane, sort: string): Lane {
  const head = lane.owed[0]?.sort === sort ? NO_ATTEMPTS : {};
  return { ...lane, ...head, owed: lane.owed.filter((delivery) => delivery.sort !== sort) };
}

/** What a failed attempt leads to. */
export interface FailedAttempt {
  readonly lane: Lane;
  /** When the next attempt is due; null: that was the last, and the lane goes on with what comes next. */
  readonly nextAt: Instant | null;
}

export interface AttemptFailure {
  readonly at: Instant;
  /** From 0 to 1, where in the jitter the pause falls. */
  readonly chance: number;
  /** Milliseconds the receiver asked for; null: it did not. */
  readonly retryAfter: number | null;
}

/** An attempt at a delivery has failed. Where others have come before it meanwhile, it counts for nothing. */
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
