import {
  applyHealthToLane,
  kindOfLane,
  MAX_LISTED_DELIVERIES,
  needsRefill,
  type PendingDelivery,
  PUBLIC_EVENTS,
  withRefill,
} from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import {
  eventListsOf,
  eventSortKey,
  eventSortKeyAfter,
  findBookingPast,
  mergedStubs,
  type PublicEvent,
  positionOfSortKey,
  stubsIn,
} from "@travel-booking/read-models";
import { type DeliveryStore, parseLaneKey, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { type Subscriber, subscribersOf, toPendingDelivery } from "./subscribers.ts";

type ReadOwed = (range: Pick<PageRequest, "order" | "limit" | "after" | "before">) => Promise<{
  readonly entries: readonly Omit<PublicEvent, "json">[];
  /** Where reading goes on. */
  readonly next?: string;
}>;

/** If a lane has only counted its next deliveries, lists them from the events in the read models. */
export async function loadMoreDeliveries(
  models: ReadModels,
  { lanes, endpoints }: Pick<DeliveryStore, "lanes" | "endpoints">,
  { key, lane }: StoredLane,
): Promise<void> {
  const { endpointId } = parseLaneKey(key);
  const subscriber = (await subscribersOf(models, lane.accountId)).find((one) => one.endpointId === endpointId);
  const listed: PendingDelivery[] = [];
  let complete = true;
  if (subscriber !== undefined) {
    const before = eventSortKeyAfter(positionOfSortKey(lane.last));
    const read = await readerOf(models, { key, lane }, subscriber);
    const owed: Omit<PublicEvent, "json">[] = [];
    let after = [lane.namedTo, eventSortKey(BigInt(subscriber.from), 0)].sort().at(-1);
    while (read !== undefined && after !== undefined && owed.length <= MAX_LISTED_DELIVERIES) {
      const { entries, next } = await read({ order: "ascending", limit: MAX_LISTED_DELIVERIES + 1, after, before });
      owed.push(...entries.filter(({ sort }) => sort <= lane.last));
      after = next;
    }
    listed.push(...owed.slice(0, MAX_LISTED_DELIVERIES).map(toPendingDelivery));
    complete = owed.length <= MAX_LISTED_DELIVERIES;
  }
  const { health } = await endpoints.get(endpointId);
  await lanes.change(key, (current) => {
    if (current?.namedTo !== lane.namedTo || !needsRefill(applyHealthToLane(current, health))) return current;
    return { ...current, ...withRefill(current, listed, complete && current.last === lane.last) };
  });
}

/** Reads the events that an endpoint gets of what a lane is about; undefined: there is no such thing. */
async function readerOf(
  models: ReadModels,
  { key, lane }: Pick<StoredLane, "key" | "lane">,
  { events }: Subscriber,
): Promise<ReadOwed | undefined> {
  const { accountId } = lane;
  const { about } = parseLaneKey(key);
  const kind = kindOfLane(lane);
  if (kind === "booking") {
    const past = await findBookingPast(models, accountId, about);
    return past && ((range) => past.events(range, ({ type }) => events.has(type)));
  }
  const lists = eventListsOf(
    accountId,
    [...events].filter((type) => PUBLIC_EVENTS[type].lane === kind),
  );
  return async (range) => {
    const parts = lists.map((list) => stubsIn(models, list, range, (stub) => stub.about === about));
    return { entries: mergedStubs(await Promise.all(parts), range) };
  };
}
