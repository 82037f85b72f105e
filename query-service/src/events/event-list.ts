import { setImmediate } from "node:timers/promises";
import type { EventBody, EventListQuery } from "@travel-booking/api-contract";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import { EVENTS, ownedKey } from "@travel-booking/read-models";

const { model, byAccount, byAccountAndType, byBooking } = EVENTS.event;

/** What a list of events is filtered by. Moments in milliseconds since the epoch, exclusive. */
export type EventFilter = Pick<EventListQuery, "type" | "bookingId" | "createdAfter" | "createdBefore">;

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

export function eventOf({ json }: Pick<PageItem, "json">): EventBody {
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
