import type { EndpointHealth, EndpointRecovery } from "./health.ts";
import { type ExhaustedDelivery, type Lane, NO_ATTEMPTS } from "./lane.ts";

/** The lane as the endpoint's health makes it: what was exhausted comes first again, and waiting is over. */
export function applyHealthToLane(lane: Lane, health: EndpointHealth): Lane {
  const ends = recoveries(health);
  const last = ends.at(-1);
  if (last === undefined) return lane;
  const isOver = ({ exhaustedAt }: ExhaustedDelivery) => exhaustedAt <= last.at;
  const over = lane.exhausted.filter(isOver);
  const back = over.filter((delivery) => isRequeued(delivery, ends));
  const { triedAt } = lane;
  const waits = lane.failures > 0 && triedAt !== null && ends.some(({ resumed, at }) => resumed && triedAt <= at);
  if (over.length === 0 && !waits) return lane;
  const exhausted = lane.exhausted.filter((delivery) => !isOver(delivery));
  if (back.length === 0) return { ...lane, ...(waits ? NO_ATTEMPTS : {}), exhausted };
  const again = back.map(({ eventId, type, sort, at }) => ({ eventId, type, sort, at, again: true }) as const);
  return { ...lane, ...NO_ATTEMPTS, owed: [...again, ...lane.owed], exhausted };
}

/** A pause is as good as the end of the failure: what is owed is known then, and only the sending waits. */
function recoveries({ status, failingSince, restarts }: EndpointHealth): readonly EndpointRecovery[] {
  if (status !== "paused") return restarts;
  return [...restarts, { since: failingSince ?? 0, at: Number.MAX_SAFE_INTEGER, resumed: true }];
}

/**
 * After a pause everything exhausted since the failure began; else, once, what never had a chance to succeed because
 * nothing did. An event that its receiver refuses while it takes others stays exhausted. What counts is the first end
 * of a failure after it was exhausted, however long ago that is: it may be the first look at the lane since.
 */
function isRequeued({ exhaustedAt, firstAt, again }: ExhaustedDelivery, ends: readonly EndpointRecovery[]): boolean {
  const end = ends.find(({ at }) => exhaustedAt <= at);
  if (end === undefined || exhaustedAt < end.since) return false;
  return end.resumed || (firstAt >= end.since && again !== true);
}
