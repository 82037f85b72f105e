import type { Instant } from "../shared/decision.ts";

/** An event an endpoint is still to be sent. JSON. */
export interface PendingDelivery {
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
export interface ExhaustedDelivery extends PendingDelivery {
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
  readonly owed: readonly PendingDelivery[];
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
export const MAX_LISTED_DELIVERIES = 100;

/** How the next delivery stands before its first attempt. */
export const NO_ATTEMPTS = { failures: 0, firstAt: null, triedAt: null, dueAt: 0 } as const;

export function newLane(accountId: string): Lane {
  return { accountId, owed: [], more: 0, namedTo: "", last: "", ...NO_ATTEMPTS, exhausted: [] };
}

/** How many deliveries are owed. */
export function countPending({ owed, more }: Lane): number {
  return owed.length + more;
}

/** When something may be sent, 0: at once; undefined: nothing is owed. */
export function laneDueAt(lane: Lane): Instant | undefined {
  return countPending(lane) > 0 ? lane.dueAt : undefined;
}

/** Whether events have to be named before the lane can go on. */
export function needsRefill(lane: Lane): boolean {
  return lane.owed.length === 0 && lane.more > 0;
}

/** Whether nothing would be lost with the lane. */
export function isEmptyLane(lane: Lane): boolean {
  return countPending(lane) === 0 && lane.exhausted.length === 0;
}
