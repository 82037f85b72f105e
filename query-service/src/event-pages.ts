import type { EventListQuery } from "@travel-booking/api-contract";
import { type PageItem, type PageRequest, pagesOf, type ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import {
  EVENTS,
  type EventStub,
  eventPositionSince,
  eventSortKey,
  eventSortKeyAfter,
  findBookingPast,
  jsonOfEvents,
  MAX_CLOCK_SKEW,
  ownedKey,
  parseEventStub,
} from "@travel-booking/read-models";
import { entriesAt, entriesOf } from "./reading.ts";

const { model, byAccount, byAccountAndType } = EVENTS.event;

/** Moments are in milliseconds since the epoch and exclusive. */
type EventFilter = Pick<EventListQuery, "type" | "bookingId" | "createdAfter" | "createdBefore">;

interface EventList extends Pick<PageRequest, "order" | "limit" | "after"> {
  readonly accountId: string;
  /** Events up to this log position are listed. */
  readonly visible: bigint;
}

/** The first `list.limit` events of an account that pass the filter. */
export async function readEvents(
  models: ReadModels,
  list: EventList,
  filter: EventFilter,
): Promise<readonly PageEntry[]> {
  const { accountId, visible, ...range } = list;
  const { bookingId } = filter;
  if (bookingId !== undefined) {
    const within = { ...range, before: eventSortKeyAfter(visible) };
    const past = await findBookingPast(models, accountId, bookingId);
    const part = await past?.events(within, (event) => matches(event, filter));
    if (part === undefined) return [];
    return entriesOf({ ...part, entries: part.entries.map(({ sort, json }) => ({ sort, json: json() })) });
  }
  // The index that has all events that pass the filter, and the fewest others.
  const index =
    filter.type === undefined
      ? { index: byAccount, partition: accountId }
      : { index: byAccountAndType, partition: ownedKey(accountId, filter.type) };
  const request = { ...index, ...(await timeBounds(models, index, filter, visible)), ...range };
  const found = await readStubs(models, request, filter);
  return entriesAt(found, await jsonOfEvents(models, found));
}

type ListedStub = EventStub & Pick<PageItem, "sort">;

/** The first `request.limit` events of an index that pass the filter. */
async function readStubs(
  models: Pick<ReadModels, "page">,
  request: PageRequest,
  filter: EventFilter,
): Promise<readonly ListedStub[]> {
  const found: ListedStub[] = [];
  for await (const page of pagesOf(models, model, request)) {
    for (const item of page) {
      const stub = parseEventStub(item.key, item);
      if (!matches(stub, filter)) continue;
      found.push({ ...stub, sort: item.sort });
      if (found.length === request.limit) return found;
    }
  }
  return found;
}

/** Whether a list with this filter has the event, so that a request that waits for one is over. */
export function hasEvent(filter: EventFilter, event: EventStub): boolean {
  return (filter.bookingId === undefined || event.bookingId === filter.bookingId) && matches(event, filter);
}

function matches(event: Pick<EventStub, "type" | "at">, { type, createdAfter, createdBefore }: EventFilter): boolean {
  if (type !== undefined && event.type !== type) return false;
  const { at } = event;
  return (createdAfter === undefined || at > createdAfter) && (createdBefore === undefined || at < createdBefore);
}

/** The part of an index that has all events of the period. It may have others, too. */
async function timeBounds(
  models: Pick<ReadModels, "page">,
  index: Pick<PageRequest, "index" | "partition">,
  { createdAfter, createdBefore }: EventFilter,
  visible: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const since = async (moment: number) =>
    eventSortKey(await eventPositionSince(models, index, moment, visible + 1n), 0);
  return {
    ...(createdAfter !== undefined && { from: await since(createdAfter - MAX_CLOCK_SKEW) }),
    before: createdBefore === undefined ? eventSortKeyAfter(visible) : await since(createdBefore + MAX_CLOCK_SKEW),
  };
}
