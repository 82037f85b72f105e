import type { EventListQuery } from "@travel-booking/api-contract";
import type { PublicEventType } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import {
  type EventList,
  type EventStub,
  eventListsOf,
  eventPositionSince,
  eventSortKey,
  eventSortKeyAfter,
  findBookingPast,
  jsonOfEvents,
  MAX_CLOCK_SKEW,
  mergedStubs,
  stubsIn,
} from "@travel-booking/read-models";
import { entriesAt, entriesOf } from "./reading.ts";

/** Moments are in milliseconds since the epoch and exclusive. */
export interface EventFilter extends Pick<EventListQuery, "bookingId" | "createdAfter" | "createdBefore"> {
  readonly types: readonly PublicEventType[];
}

interface ReadRange extends Pick<PageRequest, "order" | "limit" | "after"> {
  readonly accountId: string;
  /** Events up to this log position are listed. */
  readonly visible: bigint;
}

/** The first `list.limit` events of an account that pass the filter. */
export async function readEvents(
  models: ReadModels,
  list: ReadRange,
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
  const parts = eventListsOf(accountId, filter.types).map(async (one) => {
    const within = { ...(await timeBounds(models, one, filter, visible)), ...range };
    return stubsIn(models, one, within, (stub) => matches(stub, filter));
  });
  const found = mergedStubs(await Promise.all(parts), range);
  return entriesAt(found, await jsonOfEvents(models, found));
}

/** Whether a list with this filter has the event, so that a request that waits for one is over. */
export function hasEvent(filter: EventFilter, event: EventStub): boolean {
  return (filter.bookingId === undefined || event.about === filter.bookingId) && matches(event, filter);
}

function matches({ type, at }: Pick<EventStub, "type" | "at">, filter: EventFilter): boolean {
  const { types, createdAfter, createdBefore } = filter;
  if (!types.includes(type)) return false;
  return (createdAfter === undefined || at > createdAfter) && (createdBefore === undefined || at < createdBefore);
}

/** The part of a list that has all events of the period. It may have others, too. */
async function timeBounds(
  models: Pick<ReadModels, "page">,
  list: EventList,
  { createdAfter, createdBefore }: EventFilter,
  visible: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const since = async (moment: number) => eventSortKey(await eventPositionSince(models, list, moment, visible + 1n), 0);
  return {
    ...(createdAfter !== undefined && { from: await since(createdAfter - MAX_CLOCK_SKEW) }),
    before: createdBefore === undefined ? eventSortKeyAfter(visible) : await since(createdBefore + MAX_CLOCK_SKEW),
  };
}
