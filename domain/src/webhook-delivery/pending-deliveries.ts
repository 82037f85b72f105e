import { type Lane, MAX_LISTED_DELIVERIES, NO_ATTEMPTS, type PendingDelivery } from "./lane.ts";

/** Adds new events, oldest first; those that were added before change nothing. */
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
 * Adds events once more that were sent or given up before, all there are from the first of them on. Those still owed
 * stay as they are.
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

/** Names the next of those that were only counted, oldest first; `complete`: these are all there are. */
export function withRefill(lane: Lane, deliveries: readonly PendingDelivery[], complete: boolean): Lane {
  const namedTo = deliveries.at(-1)?.sort ?? lane.namedTo;
  return { ...lane, owed: deliveries, more: complete ? 0 : Math.max(1, lane.more - deliveries.length), namedTo };
}
