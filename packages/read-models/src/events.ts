import { EVENT_TYPES, type EventType } from "@travel-booking/api-contract/vocabulary";
import {
  type Body,
  type PageItem,
  type PageRequest,
  parseBody,
  positionSort,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { BOOKINGS } from "./bookings.ts";
import { positionSince } from "./position-since.ts";
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

/** `positionSince` of public events. */
export function eventPositionSince(
  models: Pick<ReadModels, "page">,
  index: Pick<PageRequest, "index" | "partition">,
  moment: number,
  end: bigint,
): Promise<bigint> {
  const list = { ...index, model: EVENTS.event.model, atOf: (item: PageItem) => parseEventStub(item.key, item).at };
  return positionSince(models, list, moment, end);
}
