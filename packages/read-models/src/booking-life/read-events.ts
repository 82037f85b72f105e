import type { BookingBody } from "@travel-booking/api-contract";
import { type LaneKind, PUBLIC_EVENTS } from "@travel-booking/domain";
import { type PageRequest, positionSort, type ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS, jsonOwnedBy } from "../bookings.ts";
import { jsonOfEndpointEvent } from "../endpoint-events.ts";
import {
  bookingOfCreation,
  EVENT_FEEDS,
  EVENTS,
  type EventStub,
  eventSortKey,
  isCreation,
  parseEventStub,
  positionOfSortKey,
} from "../events.ts";
import { jsonOfFlightEvent } from "../flight-events.ts";
import { ownedKey, revisionSortKey } from "../keys.ts";
import { type PublicEvent, publicEventsAt, publicTypesOf } from "./public-events.ts";
import { findSegments, MAX_READ, type Models, type Part, readPart, type Segments } from "./read-segments.ts";
import { firstOf, lastOf, type RecordedBookingEvent, replay, type Segment } from "./segments.ts";

const { byRevision, byPosition } = BOOKINGS.segment;
const { byAccountAndType } = EVENTS.event;

/** Public events that one event of the log can make. */
const EVENTS_AT_ONCE = 2;

/** As much as one read takes of a list. */
export interface FoundJson {
  /** Of the first of what was asked for, in its order, and of one at least; undefined: it is not there. */
  readonly json: readonly (string | undefined)[];
  /** Large bookings were read: more is for another read. */
  readonly more: boolean;
  /** Characters that were read for it. */
  readonly size: number;
}

/**
 * The JSON of public events, as they are listed, fetched and delivered; undefined where the read models lack what it tells of,
 * and for no stub. A booking is read once for all of its events.
 */
export async function jsonOfEvents(models: Models, stubs: readonly (EventStub | undefined)[]): Promise<FoundJson> {
  const byBooking = Map.groupBy(stubs, (stub) => stub?.about);
  const derived = new Map<string, ReadonlyMap<string, PublicEvent>>();
  const json: (string | undefined)[] = [];
  let read = 0;
  for (const stub of stubs) {
    const lane = stub && PUBLIC_EVENTS[stub.type].lane;
    if (stub !== undefined && lane !== undefined && lane !== "booking") {
      json.push(await JSON_OF[lane](models, stub));
      continue;
    }
    if (stub !== undefined && !derived.has(stub.about)) {
      if (read >= MAX_READ) break;
      const revisions = byBooking.get(stub.about)?.map((one) => one?.revision ?? 0);
      const { events, size } = await eventsAt(models, stub.about, new Set(revisions));
      derived.set(stub.about, events);
      read += size;
    }
    json.push(stub && derived.get(stub.about)?.get(stub.eventId)?.json());
  }
  return { json, more: read >= MAX_READ, size: read };
}

const JSON_OF = { hold: jsonOfFlightEvent, flight: jsonOfFlightEvent, endpoint: jsonOfEndpointEvent } as const;

/** The public events at these revisions of a booking, by id, and how much was read for them. */
async function eventsAt(models: Models, bookingId: string, revisions: Set<number>) {
  const events = new Map<string, PublicEvent>();
  const segments = await findSegments(models, bookingId, null);
  let size = segments?.open.size ?? 0;
  while (segments !== undefined && revisions.size > 0) {
    const segment = await segments.lastBefore(byRevision, revisionSortKey(Math.max(...revisions) + 1));
    if (segment === undefined) break;
    if (segment !== segments.open) size += segment.size;
    for (const moment of replay(segment, ({ revision }) => revisions.has(revision))) {
      for (const event of publicEventsAt(moment)) events.set(event.eventId, event);
    }
    const { revision: first } = firstOf(segment);
    for (const revision of revisions) if (revision >= first) revisions.delete(revision);
  }
  return { events, size };
}

/** A public event of an account, as far as lists need it. */
export async function findEventStub(
  models: Pick<ReadModels, "body">,
  accountId: string,
  eventId: string,
): Promise<EventStub | undefined> {
  for (const { model } of EVENT_FEEDS) {
    const body = await models.body(model, eventId);
    const stub = body && parseEventStub(eventId, body);
    if (stub !== undefined) return stub.accountId === accountId ? stub : undefined;
  }
  const about = bookingOfCreation(eventId);
  const body = about && (await models.body(BOOKINGS.booking.model, about));
  const booking = body && jsonOwnedBy(accountId, body.json);
  if (!about || !booking) return undefined;
  const at = Date.parse((JSON.parse(booking) as BookingBody).createdAt);
  return { eventId, type: "booking.created", accountId, about, at, revision: 0 };
}

/** The `eventSortKey` of a public event of an account. */
export async function sortOfEvent(
  models: Pick<ReadModels, "document" | "page">,
  accountId: string,
  eventId: string,
): Promise<string | undefined> {
  for (const { model } of EVENT_FEEDS) {
    const { body = null, position = 0n } = (await models.document(model, eventId)) ?? {};
    if (body === null) continue;
    const { type, accountId: owner } = parseEventStub(eventId, { json: body });
    if (owner !== accountId) return undefined;
    if (isCreation(type)) break;
    const place = { index: byAccountAndType, partition: ownedKey(accountId, type), from: eventSortKey(position, 0) };
    const ofPosition = await models.page(model, { ...place, order: "ascending", limit: EVENTS_AT_ONCE });
    return ofPosition.find(({ key }) => key === eventId)?.sort;
  }
  const bookingId = bookingOfCreation(eventId);
  const booking = bookingId && (await models.document(BOOKINGS.booking.model, bookingId));
  if (!booking || jsonOwnedBy(accountId, booking.body ?? "") === undefined) return undefined;
  return eventSortKey(booking.created, 0);
}

/** A public event as it is delivered. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly json: string;
  /** The id of the key of its booking's words; undefined: it has no such words. */
  readonly keyId: string | undefined;
}

/** The event of a lane with this `eventSortKey`. A delivery from before a change of all ids names the former one. */
export async function eventOfLane(
  models: Models & Pick<ReadModels, "body">,
  { accountId, kind, about }: { readonly accountId: string; readonly kind: LaneKind; readonly about: string },
  { eventId, sort }: Pick<PublicEvent, "eventId" | "sort">,
): Promise<DeliveredEvent | undefined> {
  if (kind !== "booking") {
    const [json] = (await jsonOfEvents(models, [await findEventStub(models, accountId, eventId)])).json;
    return json === undefined ? undefined : { eventId, json, keyId: undefined };
  }
  const at = positionOfSortKey(sort);
  const segments = await findSegments(models, about, accountId);
  const segment = await segments?.lastBefore(byPosition, positionSort(at + 1n));
  if (segments === undefined || segment === undefined) return undefined;
  const [moment] = replay(segment, ({ position }) => position === at);
  const event = moment && publicEventsAt(moment).find((one) => one.sort === sort);
  return event && { eventId: event.eventId, json: event.json(), keyId: segments.keyId };
}

/** `eventSortKey`s, exclusive; `after` continues in the order of the range. */
export type EventRange = Pick<PageRequest, "order" | "limit" | "after" | "before">;

/** Above all positions of a log. */
const HIGHEST = 2n ** 64n;

/** Tells by what the log tells of an event without a replay. */
export type IsWanted = (event: Pick<PublicEvent, "type" | "at">) => boolean;

/** The public events of a booking that are wanted. */
export function eventsOf(
  segments: Segments,
  { order, limit, after, before }: EventRange,
  isWanted: IsWanted,
): Promise<Part<PublicEvent>> {
  const isAscending = order === "ascending";
  const above = (isAscending ? after : undefined) ?? eventSortKey(0n, 0);
  const bounds = [eventSortKey(HIGHEST, 0), before, isAscending ? undefined : after];
  const [below = ""] = bounds.filter((bound) => bound !== undefined).sort();
  const [lowest, highest] = [positionOfSortKey(above), positionOfSortKey(below)];
  const mayHave = ({ position, type, at }: RecordedBookingEvent) =>
    position >= lowest && position <= highest && publicTypesOf(type).some((told) => isWanted({ type: told, at }));
  const inRange = async function* () {
    const start = positionSort((isAscending ? lowest : highest) + 1n);
    for await (const segment of segments.from(order, byPosition, start)) {
      // All of it is above.
      if (isAscending && firstOf(segment).position >= highest) return;
      yield segment;
    }
  };
  const wantedOf = (segment: Segment) => {
    if (!segment.events.some(mayHave)) return [];
    const events = [...replay(segment, mayHave)].flatMap(publicEventsAt);
    const wanted = events.filter((event) => event.sort > above && event.sort < below && isWanted(event));
    return isAscending ? wanted : wanted.reverse();
  };
  const sortBefore = (segment: Segment) =>
    eventSortKey(isAscending ? firstOf(segment).position - 1n : lastOf(segment).position, EVENTS_AT_ONCE);
  return readPart(inRange(), limit, wantedOf, sortBefore);
}
