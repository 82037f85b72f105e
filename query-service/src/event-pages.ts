import { setImmediate } from "node:timers/promises";
import type { EventBody, EventListQuery } from "@travel-booking/api-contract";
import { MINUTE } from "@travel-booking/domain";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import { EVENTS, eventSortKey, eventSortKeyAfter, ownedKey, positionOfSortKey } from "@travel-booking/read-models";

const { model, byAccount, byAccountAndType, byBooking } = EVENTS.event;

/** What a list of events is filtered by. Moments in milliseconds since the epoch, exclusive. */
type EventFilter = Pick<EventListQuery, "type" | "bookingId" | "createdAfter" | "createdBefore">;

/** The list that holds all events asked for and as few others as there is one for. */
export function indexFor(
  accountId: string,
  { type, bookingId }: EventFilter,
): Pick<PageRequest, "index" | "partition"> {
  if (bookingId !== undefined) return { index: byBooking, partition: ownedKey(accountId, bookingId) };
  if (type !== undefined) return { index: byAccountAndType, partition: ownedKey(accountId, type) };
  return { index: byAccount, partition: accountId };
}

/** Where each event has to be looked at that happens in steps, longer ones the longer it takes, up to this. */
const MAX_SCAN_PAGE = 1_000;
const GROWTH = 4;

/** At most `limit` events of a list that pass the filter. */
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
    // A long way to go holds nobody else up.
    await setImmediate();
  }
}

function eventOf({ json }: Pick<PageItem, "json">): EventBody {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as EventBody;
}

function needsScan({ type, bookingId, createdAfter, createdBefore }: EventFilter): boolean {
  return (type !== undefined && bookingId !== undefined) || createdAfter !== undefined || createdBefore !== undefined;
}

function matches(event: EventBody, { type, createdAfter, createdBefore }: EventFilter): boolean {
  if (type !== undefined && event.type !== type) return false;
  const at = Date.parse(event.createdAt);
  return (createdAfter === undefined || at > createdAfter) && (createdBefore === undefined || at < createdBefore);
}

/**
 * Lists are in the order of the log, and so in the order of time as far as the clocks of the instances that wrote it
 * agree: to within this, at the least.
 */
const CLOCK_SKEW = MINUTE;

type List = Pick<PageRequest, "index" | "partition">;

/**
 * The part of a list outside of which no event is as old, or as new, as is asked for; inside, each has to be looked at.
 * Found in a few steps, however long the list is.
 */
export async function timeBounds(
  models: Pick<ReadModels, "page">,
  list: List,
  { createdAfter, createdBefore }: EventFilter,
  visible: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const from =
    createdAfter === undefined ? undefined : await firstPositionSince(models, list, createdAfter - CLOCK_SKEW, visible);
  const end =
    createdBefore === undefined
      ? undefined
      : await firstPositionSince(models, list, createdBefore + CLOCK_SKEW, visible);
  return {
    ...(from !== undefined && { from: eventSortKey(from, 0) }),
    before: end === undefined ? eventSortKeyAfter(visible) : eventSortKey(end, 0),
  };
}

/** The lowest position at or behind which the next event of the list is as old as this moment, or younger. */
async function firstPositionSince(
  models: Pick<ReadModels, "page">,
  list: List,
  moment: number,
  visible: bigint,
): Promise<bigint> {
  let low = 0n;
  let high = visible + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [next] = await models.page(EVENTS.event.model, {
      ...list,
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
