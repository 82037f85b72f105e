import type { Instant } from "../shared/decision.ts";
import type { EndpointHealth, Restart } from "./health.ts";
import { pauseAfter } from "./schedule.ts";

/** An event an endpoint is still to be sent. JSON. */
export interface OwedDelivery {
  readonly eventId: string;
  readonly type: string;
  /** Text that sorts as the events happened. */
  readonly sort: string;
  /** When the event happened. */
  readonly at: Instant;
  /** It was exhausted once, and owed again when its endpoint recovered. */
  readonly again?: true;
}

/** A delivery whose last attempt failed. */
export interface ExhaustedDelivery extends OwedDelivery {
  readonly firstAt: Instant;
  readonly exhaustedAt: Instant;
}

/**
 * What one endpoint is owed about one booking, in order: the next is sent when the one before it has succeeded or is
 * exhausted. JSON.
 */
export interface Lane {
  readonly accountId: string;
  /** Oldest first. */
  readonly owed: readonly OwedDelivery[];
  /** So many more are owed, or a few more than that: all behind `namedTo`, up to `last`. */
  readonly more: number;
  /** The `sort` of the last one that was named in `owed`. */
  readonly namedTo: string;
  /** The `sort` of the newest event that was ever added. */
  readonly last: string;
  /** Failed attempts at the first of `owed`. */
  readonly failures: number;
  /** The first attempt at the first of `owed`, and the latest. */
  readonly firstAt: Instant | null;
  readonly triedAt: Instant | null;
  /** When the first of `owed` may be sent; 0: at once. */
  readonly dueAt: Instant;
  readonly exhausted: readonly ExhaustedDelivery[];
}

/** A lane keeps so many by name; how many more there are it only counts. */
export const MOST_NAMED = 100;

const UNTRIED = { failures: 0, firstAt: null, triedAt: null, dueAt: 0 } as const;

export function newLane(accountId: string): Lane {
  return { accountId, owed: [], more: 0, namedTo: "", last: "", ...UNTRIED, exhausted: [] };
}

/** Adds new events, oldest first; those that were added before change nothing. */
export function withNew(lane: Lane, deliveries: readonly OwedDelivery[]): Lane {
  const fresh = deliveries.filter(({ sort }) => sort > lane.last);
  const newest = fresh.at(-1);
  if (newest === undefined) return lane;
  const room = lane.more > 0 ? 0 : Math.max(0, MOST_NAMED - lane.owed.length);
  const named = fresh.slice(0, room);
  return {
    ...lane,
    owed: [...lane.owed, ...named],
    more: lane.more + fresh.length - named.length,
    namedTo: named.at(-1)?.sort ?? lane.namedTo,
    last: newest.sort,
  };
}

/**
 * Adds events once more that were sent or given up before, all there are from the first of them on. Those still owed
 * stay as they are.
 */
export function withAgain(lane: Lane, deliveries: readonly OwedDelivery[]): Lane {
  const known = new Set(lane.owed.map(({ sort }) => sort));
  const isBehind = ({ sort }: OwedDelivery) => lane.more > 0 && sort > lane.namedTo;
  const added = deliveries.filter((delivery) => !known.has(delivery.sort) && !isBehind(delivery));
  const newer = deliveries.filter((delivery) => isBehind(delivery) && delivery.sort > lane.last);
  if (added.length + newer.length === 0) return lane;
  const sorts = new Set(deliveries.map(({ sort }) => sort));
  const all = [...lane.owed, ...added].sort((one, other) => (one.sort < other.sort ? -1 : 1));
  const owed = all.slice(0, MOST_NAMED);
  return {
    ...lane,
    ...(owed[0]?.sort === lane.owed[0]?.sort ? {} : UNTRIED),
    owed,
    more: lane.more + newer.length + all.length - owed.length,
    namedTo: all.length > owed.length || lane.more === 0 ? (owed.at(-1)?.sort ?? lane.namedTo) : lane.namedTo,
    last: [lane.last, ...sorts].sort().at(-1) ?? lane.last,
    exhausted: lane.exhausted.filter(({ sort }) => !sorts.has(sort)),
  };
}

/** Whether events have to be named before the lane can go on. */
export function needsNames(lane: Lane): boolean {
  return lane.owed.length === 0 && lane.more > 0;
}

/** Names the next of those that were only counted, oldest first; `complete`: these are all there are. */
export function withNames(lane: Lane, deliveries: readonly OwedDelivery[], complete: boolean): Lane {
  const namedTo = deliveries.at(-1)?.sort ?? lane.namedTo;
  return { ...lane, owed: deliveries, more: complete ? 0 : Math.max(1, lane.more - deliveries.length), namedTo };
}

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

/** A delivery has succeeded. */
export function afterDelivery(lane: Lane, sort: string): Lane {
  const head = lane.owed[0]?.sort === sort ? UNTRIED : {};
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
  const pause = pauseAfter(failures, chance, retryAfter);
  if (pause !== undefined) {
    const nextAt = at + pause;
    return { lane: { ...lane, failures, firstAt, triedAt: at, dueAt: nextAt }, nextAt };
  }
  const exhausted = [...lane.exhausted, { ...head, firstAt, exhaustedAt: at }];
  return { lane: { ...afterDelivery(lane, sort), exhausted }, nextAt: null };
}

/** How many deliveries are owed. */
export function countOwed({ owed, more }: Lane): number {
  return owed.length + more;
}

/** When something may be sent, 0: at once; undefined: nothing is owed. */
export function laneDueAt(lane: Lane): Instant | undefined {
  return countOwed(lane) > 0 ? lane.dueAt : undefined;
}

/** Whether nothing would be lost with the lane. */
export function isSpent(lane: Lane): boolean {
  return countOwed(lane) === 0 && lane.exhausted.length === 0;
}
