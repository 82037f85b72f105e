import { PUBLIC_EVENTS, type PublicEventType, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import {
  type PageItem,
  type PageRequest,
  pagesOf,
  parseBody,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { BOOKINGS, type BookingClues } from "./bookings.ts";
import { EVENTS, type EventStub, eventSortKey, feedOf, isCreation, parseEventStub, publicEventId } from "./events.ts";
import { ownedKey } from "./keys.ts";
import { positionSince } from "./position-since.ts";

export type ListedStub = EventStub & Pick<PageItem, "sort">;

type Range = Pick<PageRequest, "from" | "before" | "after">;

/** An index that has public events of one account, all of them wanted. */
export interface EventList extends Pick<PageRequest, "index" | "partition"> {
  readonly model: string;
  readonly stubOf: (item: PageItem) => ListedStub;
  /** Bounds by `eventSortKey`, as the index has them. */
  readonly bounds: (range: Range) => Range;
}

const { byAccount, byAccountAndType } = EVENTS.event;

const STUBS = {
  stubOf: (item: PageItem): ListedStub => ({ ...parseEventStub(item.key, item), sort: item.sort }),
  bounds: (range: Range) => range,
};

/** The lists that have the events of these types, and no others. */
export function eventListsOf(accountId: string, types: readonly PublicEventType[]): readonly EventList[] {
  const hasAllUsual = USUAL_EVENT_TYPES.every((type) => types.includes(type));
  const others = hasAllUsual ? types.filter((type) => !PUBLIC_EVENTS[type].usual) : types;
  return [
    ...(hasAllUsual ? [usualEvents(accountId)] : []),
    ...others.map((type) => (isCreation(type) ? creationsOf(accountId) : ofType(accountId, type))),
  ];
}

/** The usual events of an account. */
export function usualEvents(accountId: string): EventList {
  return { model: EVENTS.event.model, index: byAccount, partition: accountId, ...STUBS };
}

function ofType(accountId: string, type: PublicEventType): EventList {
  const { model } = feedOf(PUBLIC_EVENTS[type].lane);
  return { model, index: byAccountAndType, partition: ownedKey(accountId, type), ...STUBS };
}

/** The creations of an account's bookings. */
function creationsOf(accountId: string): EventList {
  const { model, byAccount: index } = BOOKINGS.clues;
  return {
    model,
    index,
    partition: accountId,
    stubOf(item) {
      const { key: about, sort } = item;
      const [, , at] = parseBody<BookingClues>(item);
      const type = "booking.created";
      return {
        eventId: publicEventId("", type, about),
        type,
        accountId,
        about,
        at,
        revision: 0,
        sort: eventSortKey(BigInt(sort), 0),
      };
    },
    // A creation is the only public event of its position.
    bounds: (range) =>
      Object.fromEntries(Object.entries(range).map(([name, sort]) => [name, sort.split("/")[0] ?? ""])),
  };
}

/** The first `range.limit` events of a list that are wanted. */
export async function stubsIn(
  models: Pick<ReadModels, "page">,
  { model, index, partition, stubOf, bounds }: EventList,
  { order, limit, ...range }: Omit<PageRequest, "index" | "partition">,
  isWanted: (stub: ListedStub) => boolean = () => true,
): Promise<readonly ListedStub[]> {
  const found: ListedStub[] = [];
  const request = { index, partition, order, limit, ...bounds(range) };
  for await (const page of pagesOf(models, model, request)) {
    for (const item of page) {
      const stub = stubOf(item);
      if (!isWanted(stub)) continue;
      found.push(stub);
      if (found.length === limit) return found;
    }
  }
  return found;
}

/** The first `limit` of several lists, of which each has so many, or all of its own. */
export function mergedStubs(
  lists: readonly (readonly ListedStub[])[],
  { order, limit }: Pick<PageRequest, "order" | "limit">,
): readonly ListedStub[] {
  const [only = []] = lists;
  if (lists.length <= 1) return only;
  const sign = order === "ascending" ? 1 : -1;
  return lists
    .flat()
    .sort((one, other) => (one.sort < other.sort ? -sign : sign))
    .slice(0, limit);
}

/** `positionSince` of public events. */
export function eventPositionSince(
  models: Pick<ReadModels, "page">,
  { model, index, partition, stubOf }: EventList,
  moment: number,
  end: bigint,
): Promise<bigint> {
  return positionSince(models, { model, index, partition, atOf: (item) => stubOf(item).at }, moment, end);
}
