import { setImmediate } from "node:timers/promises";
import type { EventBody, EventListQuery } from "@travel-booking/api-contract";
import { MINUTE } from "@travel-booking/domain";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import { EVENTS, eventSortKey, eventSortKeyAfter, ownedKey, positionOfSortKey } from "@travel-booking/read-models";

const { model, byAccount, byAccountAndType, byBooking } = EVENTS.event;

/** Moments are in milliseconds since the epoch and exclusive. */
type EventFilter = Pick<EventListQuery, "type" | "bookingId" | "createdAfter" | "createdBefore">;

/** The index that has all events that pass the filter, and the fewest others. */
export function indexFor(
  accountId: string,
  { type, bookingId }: EventFilter,
): Pick<PageRequest, "index" | "partition"> {
  if (bookingId !== undefined) return { index: byBooking, partition: ownedKey(accountId, bookingId) };
  if (type !== undefined) return { index: byAccountAndType, partition: ownedKey(accountId, type) };
  return { index: byAccount, partition: accountId };
}

/** A scan reads pages that grow by the factor, up to the maximum. */
const MAX_SCAN_PAGE = 1_000;
const GROWTH = 4;

/** The first `request.limit` events of an index that pass the filter. */
export async function readEvents(
  models: Pick<ReadModels, "page">,
  request: PageRequest,
  filter: EventFilter,
): Promise<readonly PageEntry[]> {
  if (!needsScan(filter)) return models.page(model, request);
  const found: PageItem[] = [];
  let after = request.after;
  for (let limit = request.limit; ; limit = Math.min(limit * GROWTH, MAX_SCAN_PAGE)) {
    const step = await models.page(model, { ...request, limit, ...(after !== undefined && { after }) });
    for (const item of step) {
      if (found.length < request.limit && matches(eventOf(item), filter)) found.push(item);
    }
    const last = step.at(-1);
    if (last === undefined || step.length < limit || found.length === request.limit) return found;
    after = last.sort;
    // Other requests get their turn during a long scan.
    await setImmediate();
  }
}

function eventOf({ json }: Pick<PageItem, "json">): EventBody {
  return JSON.parse(json) as EventBody;
}

function needsScan({ type, bookingId, createdAfter, createdBefore }: EventFilter): boolean {
  return (type !== undefined && bookingId !== undefined) || createdAfter !== undefined || createdBefore !== undefined;
}

function matches(event: EventBody, { type, createdAfter, createdBefore }: EventFilter): boolean {
  if (type !== undefined && event.type !== type) return false;
  const at = Date.parse(event.createdAt);
  return (createdAfter === undefined || at > createdAfter) && (createdBefore === undefined || at < createdBefore);
}

/** Indexes are in the order of the log. The clocks of its writers differ by this at most, so times may be out of order. */
const MAX_CLOCK_SKEW = MINUTE;

type EventIndex = Pick<PageRequest, "index" | "partition">;

/** The part of an index that has all events of the period, found by binary search. It may have others, too. */
export async function timeBounds(
  models: Pick<ReadModels, "page">,
  index: EventIndex,
  { createdAfter, createdBefore }: EventFilter,
  visible: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const from =
    createdAfter === undefined
      ? undefined
      : await firstPositionSince(models, index, createdAfter - MAX_CLOCK_SKEW, visible);
  const end =
    createdBefore === undefined
      ? undefined
      : await firstPositionSince(models, index, createdBefore + MAX_CLOCK_SKEW, visible);
  return {
    ...(from !== undefined && { from: eventSortKey(from, 0) }),
    before: end === undefined ? eventSortKeyAfter(visible) : eventSortKey(end, 0),
  };
}

/** The lowest position from which on the next event of the index happened at this moment or later. */
async function firstPositionSince(
  models: Pick<ReadModels, "page">,
  index: EventIndex,
  moment: number,
  visible: bigint,
): Promise<bigint> {
  let low = 0n;
  let high = visible + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [next] = await models.page(EVENTS.event.model, {
      ...index,
      order: "ascending",
      limit: 1,
      from: eventSortKey(middle, 0),
      before: eventSortKey(high, 0),
    });
    if (next === undefined || Date.parse(eventOf(next).createdAt) >= moment) high = middle;
    else low = positionOfSortKey(next.sort) + 1n;
  }
  return low;
}
