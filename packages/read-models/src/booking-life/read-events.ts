import { setImmediate } from "node:timers/promises";
import { type PageRequest, positionSort, type ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { EVENTS, type EventStub, eventSortKey, parseEventStub, positionOfSortKey } from "../events.ts";
import { revisionSortKey } from "../keys.ts";
import type { EventRange } from "./booking-past.ts";
import { type PublicEvent, publicEventsAt } from "./public-events.ts";
import { findOpenSegment, findOwnSegment, lastSegmentBefore, segmentsFrom } from "./read-segments.ts";
import { firstOf, replay, type Segment } from "./segments.ts";

const { byRevision, byPosition } = BOOKINGS.segment;
const { model, byAccount } = EVENTS.event;

/** Public events that one event of the log can make. */
const EVENTS_AT_ONCE = 2;

type Models = Pick<ReadModels, "document" | "page">;

/** The JSON of public events, as they are listed, fetched and delivered; undefined where a booking lacks its event. */
export async function jsonOfEvents(
  models: Models,
  stubs: readonly EventStub[],
): Promise<readonly (string | undefined)[]> {
  const found = new Map<string, string>();
  const byBooking = Map.groupBy(stubs, ({ bookingId }) => bookingId);
  await Promise.all([...byBooking].map(([bookingId, wanted]) => deriveEvents(models, bookingId, wanted, found)));
  return stubs.map(({ eventId }) => found.get(eventId));
}

async function deriveEvents(
  models: Models,
  bookingId: string,
  stubs: readonly EventStub[],
  found: Map<string, string>,
): Promise<void> {
  const open = await findOpenSegment(models, bookingId);
  if (open === undefined) return;
  const wanted = new Set(stubs.map(({ eventId }) => eventId));
  let revisions = stubs.map(({ revision }) => revision);
  while (revisions.length > 0) {
    const after = revisionSortKey(Math.max(...revisions) + 1);
    const segment = await lastSegmentBefore(models, open, byRevision, after);
    if (segment === undefined) return;
    for (const moment of replay(segment, ({ revision }) => revisions.includes(revision))) {
      for (const event of publicEventsAt(moment)) {
        if (wanted.has(event.eventId)) found.set(event.eventId, event.json());
      }
    }
    const { revision: first } = firstOf(segment);
    revisions = revisions.filter((revision) => revision < first);
  }
}

/** A public event of an account, as far as lists need it. */
export async function findEventStub(
  models: Pick<ReadModels, "body">,
  accountId: string,
  eventId: string,
): Promise<EventStub | undefined> {
  const body = await models.body(model, eventId);
  const stub = body && parseEventStub(eventId, body);
  return stub?.accountId === accountId ? stub : undefined;
}

/** The `eventSortKey` of a public event of an account. */
export async function sortOfEvent(models: Models, accountId: string, eventId: string): Promise<string | undefined> {
  const position = (await models.document(model, eventId))?.position;
  if (position === undefined) return undefined;
  const place = { index: byAccount, partition: accountId, from: eventSortKey(position, 0) };
  const ofPosition = await models.page(model, { ...place, order: "ascending", limit: EVENTS_AT_ONCE });
  return ofPosition.find(({ key }) => key === eventId)?.sort;
}

/** The public event with this `eventSortKey`, of a booking of this account. */
export async function publicEventAt(
  models: Models,
  accountId: string,
  bookingId: string,
  sort: string,
): Promise<PublicEvent | undefined> {
  const at = positionOfSortKey(sort);
  const open = await findOwnSegment(models, accountId, bookingId);
  const segment = open && (await lastSegmentBefore(models, open, byPosition, positionSort(at + 1n)));
  if (segment === undefined) return undefined;
  for (const moment of replay(segment, ({ position }) => position === at)) {
    return publicEventsAt(moment).find((event) => event.sort === sort);
  }
  return undefined;
}

/** The public events of a booking that are wanted. */
export async function eventsOf(
  models: Models,
  open: Segment,
  range: EventRange,
  isWanted: (event: PublicEvent) => boolean,
): Promise<readonly PublicEvent[]> {
  const [above, below] = boundsOf(range);
  const start = await segmentAtStart(models, open, range.order, above, below);
  const events: PublicEvent[] = [];
  if (start === undefined) return events;
  for await (const segment of segmentsFrom(models, open, start, range.order)) {
    const inSegment = eventsBetween(segment, above, below).filter(isWanted);
    events.push(...(range.order === "ascending" ? inSegment : inSegment.toReversed()));
    if (events.length >= range.limit) return events.slice(0, range.limit);
    // Other requests get their turn during a long scan.
    await setImmediate();
  }
  return events;
}

/** Events have sort keys above the first and below the second. */
function boundsOf({ order, after, before }: EventRange): readonly [string | undefined, string | undefined] {
  if (order === "ascending") return [after, before];
  return [undefined, after !== undefined && (before === undefined || after < before) ? after : before];
}

async function segmentAtStart(
  models: Models,
  open: Segment,
  order: PageRequest["order"],
  above: string | undefined,
  below: string | undefined,
): Promise<Segment | undefined> {
  const bound = order === "ascending" ? above : below;
  if (order === "descending" && bound === undefined) return open;
  const position = bound === undefined ? 0n : positionOfSortKey(bound);
  const found = await lastSegmentBefore(models, open, byPosition, positionSort(position + 1n));
  if (found !== undefined || order === "descending") return found;
  return (await lastSegmentBefore(models, open, byRevision, revisionSortKey(1))) ?? open;
}

function eventsBetween(segment: Segment, above = "", below?: string): PublicEvent[] {
  const from = above === "" ? 0n : positionOfSortKey(above);
  const to = below === undefined ? undefined : positionOfSortKey(below);
  const isNear = (position: bigint) => position >= from && (to === undefined || position <= to);
  const events: PublicEvent[] = [];
  for (const moment of replay(segment, ({ position }) => isNear(position))) {
    for (const event of publicEventsAt(moment)) {
      if (event.sort > above && (below === undefined || event.sort < below)) events.push(event);
    }
  }
  return events;
}
