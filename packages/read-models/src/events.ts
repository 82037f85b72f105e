import { EVENT_TYPES, type EventType } from "@travel-booking/api-contract/vocabulary";
import { MINUTE } from "@travel-booking/domain";
import {
  type Body,
  type PageRequest,
  parseBody,
  positionSort,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { BOOKINGS } from "./bookings.ts";
import type { ProjectionProgress } from "./projections.ts";

/**
 * Public events, as far as lists need them; written by the projection `bookings`. Their JSON follows from the booking's
 * events (`jsonOfEvents`). Every index is sorted by `eventSortKey`. Read them up to `visiblePosition` only.
 */
export const EVENTS = {
  projection: BOOKINGS.projection,
  /** Body: `eventStubJson`. By event id. */
  event: {
    model: "bookings.event",
    /** Partition `ALL_PARTITION`. */
    all: "all",
    /** One partition per account. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, type)`. */
    byAccountAndType: "byAccountAndType",
  },
} as const;

/**
 * Events are listed up to here: the one read model that shows their bookings and payments has them, and no further event
 * can appear at or below this position (docs/decisions/0043-a-stopped-projection-holds-up-what-it-shows.md). It only advances.
 */
export function visiblePosition(progress: Pick<ProjectionProgress, "positionOf">): bigint {
  return progress.positionOf(EVENTS.projection);
}

/** What is stored of a public event. */
export interface EventStub {
  readonly eventId: string;
  readonly type: EventType;
  readonly accountId: string;
  readonly bookingId: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /** Of the event of the booking that it comes from. */
  readonly revision: number;
}

type StoredStub = readonly [type: number, accountId: string, bookingId: string, at: number, revision: number];

export function eventStubJson({ type, accountId, bookingId, at, revision }: Omit<EventStub, "eventId">): string {
  const stored: StoredStub = [EVENT_TYPES.indexOf(type), accountId, bookingId, at, revision];
  return JSON.stringify(stored);
}

/** @throws Error it is of no known type. */
export function parseEventStub(key: string, body: Pick<Body, "json">): EventStub {
  const [code, accountId, bookingId, at, revision] = parseBody<StoredStub>(body);
  const type = EVENT_TYPES[code];
  if (type === undefined) throw new Error(`a public event of the unknown type ${code}`);
  return { eventId: key, type, accountId, bookingId, at, revision };
}

/** Test events of webhook endpoints: JSON text in the state store, by `ownedKey(account, event)`. */
export const TEST_EVENTS = { space: "test-events" } as const;

/** By the position of the event of the log that it comes from, then by its index among those from the same one. */
export function eventSortKey(position: bigint, index: number): string {
  return `${positionSort(position)}/${index}`;
}

/** The position of an `eventSortKey`. */
export function positionOfSortKey(sort: string): bigint {
  return BigInt(sort.slice(0, sort.indexOf("/")));
}

/** Exclusive upper bound of all events up to a position. */
export function eventSortKeyAfter(position: bigint): string {
  return eventSortKey(position + 1n, 0);
}

/** Indexes are in the order of the log. The clocks of its writers differ by this at most, so times may be out of order. */
export const MAX_CLOCK_SKEW = MINUTE;

/**
 * The lowest position up to `end` from which on the next event of an index happened at this moment or later, found by binary search: a
 * `MAX_CLOCK_SKEW` before a moment everything below it happened earlier, and behind it everything else later.
 */
export async function positionSince(
  models: Pick<ReadModels, "page">,
  index: Pick<PageRequest, "index" | "partition">,
  moment: number,
  end: bigint,
): Promise<bigint> {
  let low = 0n;
  let high = end;
  while (low < high) {
    const middle = (low + high) / 2n;
    const bounds = { from: eventSortKey(middle, 0), before: eventSortKey(high, 0) };
    const [next] = await models.page(EVENTS.event.model, { ...index, ...bounds, order: "ascending", limit: 1 });
    if (next === undefined || parseEventStub(next.key, next).at >= moment) high = middle;
    else low = positionOfSortKey(next.sort) + 1n;
  }
  return low;
}
