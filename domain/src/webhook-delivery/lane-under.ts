import type { EndpointHealth, Restart } from "./health.ts";
import { type ExhaustedDelivery, type Lane, UNTRIED } from "./lane.ts";

/** The lane as the endpoint's health makes it: what was exhausted comes first again, and waiting is over. */
export function laneUnder(lane: Lane, health: EndpointHealth): Lane {
  const end = endOfFailure(health);
  if (end === undefined) return lane;
  const isOver = ({ exhaustedAt }: ExhaustedDelivery) => exhaustedAt <= end.at;
  const over = lane.exhausted.filter(isOver);
  const back = over.filter((delivery) => isOwedAgain(delivery, end));
  const waits = end.resumed && lane.triedAt !== null && lane.triedAt <= end.at && lane.failures > 0;
  if (over.length === 0 && !waits) return lane;
  const exhausted = lane.exhausted.filter((delivery) => !isOver(delivery));
  if (back.length === 0) return { ...lane, ...(waits ? UNTRIED : {}), exhausted };
  const again = back.map(({ eventId, type, sort, at }) => ({ eventId, type, sort, at, again: true }) as const);
  return { ...lane, ...UNTRIED, owed: [...again, ...lane.owed], exhausted };
}

/** A pause is as good as the end of the failure: what is owed is known then, and only the sending waits. */
function endOfFailure({ status, failingSince, restart }: EndpointHealth): Restart | undefined {
  if (status !== "paused") return restart ?? undefined;
  return { since: failingSince ?? 0, at: Number.MAX_SAFE_INTEGER, resumed: true };
}

/**
 * After a pause everything exhausted since the failure began; else, once, what never had a chance to succeed because
 * nothing did. An event that its receiver refuses while it takes others stays exhausted.
 */
function isOwedAgain({ exhaustedAt, firstAt, again }: ExhaustedDelivery, { since, resumed }: Restart): boolean {
  if (exhaustedAt < since) return false;
  return resumed || (firstAt >= since && again !== true);
}
