import type { LaneKind } from "../public-events.ts";
import type { Instant } from "../shared/decision.ts";

/** An event still to be sent to an endpoint. JSON. */
export interface PendingDelivery {
  readonly eventId: string;
  readonly type: string;
  /** Text that sorts in the order of the events. */
  readonly sort: string;
  /** When the event happened. */
  readonly at: Instant;
  /** True if it was exhausted once, and requeued when its endpoint recovered. */
  readonly again?: true;
}

/** A delivery whose last attempt failed. */
export interface ExhaustedDelivery extends PendingDelivery {
  readonly firstAt: Instant;
  readonly exhaustedAt: Instant;
}

/**
 * Pending deliveries of one endpoint about one thing, in order. The next is sent when the previous one has succeeded or
 * is exhausted. JSON.
 */
export interface Lane {
  readonly accountId: string;
  /** What the lane is about; absent: a booking. */
  readonly kind?: LaneKind;
  /** Oldest first. */
  readonly owed: readonly PendingDelivery[];
  /** Approximate count of further pending deliveries, all after `namedTo`, up to `last`. */
  readonly more: number;
  /** The `sort` of the last delivery listed in `owed`. */
  readonly namedTo: string;
  /** The `sort` of the newest event ever added. */
  readonly last: string;
  /** Failed attempts at the first delivery of `owed`. */
  readonly failures: number;
  /** The first and the latest attempt at the first delivery of `owed`. */
  readonly firstAt: Instant | null;
  readonly triedAt: Instant | null;
  /** When the first delivery of `owed` is due; 0 means at once. */
  readonly dueAt: Instant;
  readonly exhausted: readonly ExhaustedDelivery[];
}

/** A lane lists at most this many deliveries and only counts the rest. */
export const MAX_LISTED_DELIVERIES = 100;

/** The values before the first attempt at the next delivery. */
export const NO_ATTEMPTS = { failures: 0, firstAt: null, triedAt: null, dueAt: 0 } as const;

export function newLane(accountId: string, kind: LaneKind = "booking"): Lane {
  const empty = { owed: [], more: 0, namedTo: "", last: "", ...NO_ATTEMPTS, exhausted: [] };
  return { accountId, ...(kind !== "booking" && { kind }), ...empty };
}

export function kindOfLane({ kind = "booking" }: Pick<Lane, "kind">): LaneKind {
  return kind;
}

/** Number of pending deliveries. */
export function countPending({ owed, more }: Lane): number {
  return owed.length + more;
}

/** When the next delivery is due (0: at once); undefined if none is pending. */
export function laneDueAt(lane: Lane): Instant | undefined {
  return countPending(lane) > 0 ? lane.dueAt : undefined;
}

/** Whether deliveries must be loaded into the lane before it continues. */
export function needsRefill(lane: Lane): boolean {
  return lane.owed.length === 0 && lane.more > 0;
}

/** Whether the lane can be deleted. */
export function isEmptyLane(lane: Lane): boolean {
  return countPending(lane) === 0 && lane.exhausted.length === 0;
}

/** Adds new events, oldest first, and ignores those added before. */
export function withNewDeliveries(lane: Lane, deliveries: readonly PendingDelivery[]): Lane {
  const fresh = deliveries.filter(({ sort }) => sort > lane.last);
  const newest = fresh.at(-1);
  if (newest === undefined) return lane;
  const room = lane.more > 0 ? 0 : Math.max(0, MAX_LISTED_DELIVERIES - lane.owed.length);
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
 * Adds events again that were sent or exhausted before: the first of them and all later ones. Those still pending stay
 * as they are.
 */
export function withReplayedDeliveries(lane: Lane, deliveries: readonly PendingDelivery[]): Lane {
  const known = new Set(lane.owed.map(({ sort }) => sort));
  const isBehind = ({ sort }: PendingDelivery) => lane.more > 0 && sort > lane.namedTo;
  const added = deliveries.filter((delivery) => !known.has(delivery.sort) && !isBehind(delivery));
  const newer = deliveries.filter((delivery) => isBehind(delivery) && delivery.sort > lane.last);
  if (added.length + newer.length === 0) return lane;
  const sorts = new Set(deliveries.map(({ sort }) => sort));
  const all = [...lane.owed, ...added].sort((one, other) => (one.sort < other.sort ? -1 : 1));
  const owed = all.slice(0, MAX_LISTED_DELIVERIES);
  return {
    ...lane,
    ...(owed[0]?.sort === lane.owed[0]?.sort ? {} : NO_ATTEMPTS),
    owed,
    more: lane.more + newer.length + all.length - owed.length,
    namedTo: all.length > owed.length || lane.more === 0 ? (owed.at(-1)?.sort ?? lane.namedTo) : lane.namedTo,
    last: [lane.last, ...sorts].sort().at(-1) ?? lane.last,
    exhausted: lane.exhausted.filter(({ sort }) => !sorts.has(sort)),
  };
}

/** Lists the next of the deliveries that were only counted, oldest first. `complete`: there are no further ones. */
export function withRefill(lane: Lane, deliveries: readonly PendingDelivery[], complete: boolean): Lane {
  const namedTo = deliveries.at(-1)?.sort ?? lane.namedTo;
  return { ...lane, owed: deliveries, more: complete ? 0 : Math.max(1, lane.more - deliveries.length), namedTo };
}

/** Makes the first pending delivery due at once, if it is one of these. */
export function withHeadDueAtOnce(lane: Lane, deliveries: readonly PendingDelivery[]): Lane {
  const isMeant = lane.dueAt !== 0 && deliveries.some(({ sort }) => sort === lane.owed[0]?.sort);
  return isMeant ? { ...lane, dueAt: 0 } : lane;
}
