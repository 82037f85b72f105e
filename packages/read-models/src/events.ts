import { createHash } from "node:crypto";
import { type LaneKind, PUBLIC_EVENT_TYPES, PUBLIC_EVENTS, type PublicEventType } from "@travel-booking/domain";
import { type Body, parseBody, positionSort } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "./bookings.ts";
import { FLIGHTS } from "./flights.ts";
import type { ProjectionProgress } from "./projections.ts";
import { WEBHOOKS } from "./webhooks.ts";

/**
 * Public events of bookings, as far as lists need them; written by the projection `bookings`. Their JSON follows from the
 * booking's events (`jsonOfEvents`). Every index is sorted by `eventSortKey`. Read them up to `visiblePosition` only.
 */
export const EVENTS = {
  projection: BOOKINGS.projection,
  /** Body: `eventStubJson`. By event id. */
  event: {
    model: "bookings.event",
    /** Partition `ALL_PARTITION`. Creations of bookings only where an endpoint of the account gets them. */
    all: "all",
    /** The usual types: one partition per account. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, type)`. Creations of bookings have none: `eventListsOf`. */
    byAccountAndType: "byAccountAndType",
  },
} as const;

/** The public events that a projection makes: a model as `EVENTS.event`. */
export interface EventFeed {
  readonly projection: string;
  readonly model: string;
}

const OF_FLIGHTS: EventFeed = { projection: FLIGHTS.projection, model: "flights.event" };

/** By what their deliveries are in order with. */
const FEEDS: Readonly<Record<LaneKind, EventFeed>> = {
  booking: { projection: EVENTS.projection, model: EVENTS.event.model },
  hold: OF_FLIGHTS,
  flight: OF_FLIGHTS,
  endpoint: { projection: WEBHOOKS.projection, model: "webhooks.event" },
};

/** Each feed once, that of bookings first. */
export const EVENT_FEEDS: readonly EventFeed[] = [...new Set(Object.values(FEEDS))];

export function feedOf(lane: LaneKind): EventFeed {
  return FEEDS[lane];
}

/** What is stored of a public event. */
export interface EventStub {
  readonly eventId: string;
  readonly type: PublicEventType;
  readonly accountId: string;
  /** The booking, hold, flight or endpoint that it is about: its deliveries are in order with the others about that. */
  readonly about: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /** Of the event of the log that it comes from, in its stream. */
  readonly revision: number;
}

type StoredStub = readonly [type: number, accountId: string, about: string, at: number, revision: number];

export function eventStubJson({ type, accountId, about, at, revision }: Omit<EventStub, "eventId">): string {
  const stored: StoredStub = [PUBLIC_EVENT_TYPES.indexOf(type), accountId, about, at, revision];
  return JSON.stringify(stored);
}

/** @throws Error it is of no known type. */
export function parseEventStub(key: string, body: Pick<Body, "json">): EventStub {
  const [code, accountId, about, at, revision] = parseBody<StoredStub>(body);
  const type = PUBLIC_EVENT_TYPES[code];
  if (type === undefined) throw new Error(`a public event of the unknown type ${code}`);
  return { eventId: key, type, accountId, about, at, revision };
}

/** A booking's creation has the place of the booking in lists, so that it costs nothing where nobody asks for it. */
export function isCreation(type: PublicEventType): boolean {
  return type === "booking.created";
}

/** The digit of a UUID that names its version. Version 8 is for custom ids (RFC 9562 §5.8). */
const VERSION_DIGIT = /(?<=^.{12})./;

/**
 * The id of a public event: the digits of its log event, so that a rebuild makes the same ids, and ids sort by time.
 * One log event can make two public events, so `booking.changed` has another version digit. A booking is created once,
 * and its creation has the digits of the booking.
 */
export function publicEventId(eventId: string, type: PublicEventType, about: string): string {
  if (isCreation(type)) return `evt_${about.slice(PREFIX)}`;
  const digits = eventId.replaceAll("-", "");
  return `evt_${type === "booking.changed" ? digits.replace(VERSION_DIGIT, "8") : digits}`;
}

/** The id of a public event that several accounts have of one log event. It begins with its time, as the others do. */
export function publicEventIdOf(eventId: string, accountId: string): string {
  const time = eventId.replaceAll("-", "").slice(0, TIME_DIGITS);
  const own = createHash("sha256").update(`${eventId} ${accountId}`).digest("hex");
  return `evt_${time}${own.slice(0, UUID_DIGITS - TIME_DIGITS)}`;
}

const UUID_DIGITS = 32;
const TIME_DIGITS = 12;

/** The booking that was created, if this is the id of a creation; undefined: it is of no event. */
export function bookingOfCreation(eventId: string): string | undefined {
  return eventId.startsWith("evt_") ? `bkg_${eventId.slice(PREFIX)}` : undefined;
}

const PREFIX = "evt_".length;

/**
 * Events of these types are listed up to here: the read models that show what they tell have them, and no further event
 * can appear at or below this position (docs/decisions/0043-a-stopped-projection-holds-up-what-it-shows.md). It only advances.
 */
export function visiblePosition(
  progress: Pick<ProjectionProgress, "positionOf">,
  types: readonly PublicEventType[],
): bigint {
  const positions = projectionsOf(types).map((projection) => progress.positionOf(projection));
  const [lowest = 0n] = positions.sort((one, other) => (one < other ? -1 : 1));
  return lowest;
}

/** The projections that make events of these types. */
export function projectionsOf(types: readonly PublicEventType[]): readonly string[] {
  return [...new Set(types.map((type) => feedOf(PUBLIC_EVENTS[type].lane).projection))];
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
