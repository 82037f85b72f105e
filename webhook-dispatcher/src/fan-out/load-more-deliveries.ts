import {
  applyHealthToLane,
  MAX_LISTED_DELIVERIES,
  needsRefill,
  type PendingDelivery,
  withRefill,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import {
  eventSortKey,
  eventSortKeyAfter,
  findBookingPast,
  type PublicEvent,
  positionOfSortKey,
} from "@travel-booking/read-models";
import { type DeliveryStore, parseLaneKey, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { subscribersOf, toPendingDelivery } from "./subscribers.ts";

/** If a lane has only counted its next deliveries, lists them from the events of its booking in the read models. */
export async function loadMoreDeliveries(
  models: ReadModels,
  { lanes, endpoints }: Pick<DeliveryStore, "lanes" | "endpoints">,
  { key, lane }: StoredLane,
): Promise<void> {
  const { endpointId, bookingId } = parseLaneKey(key);
  const subscriber = (await subscribersOf(models, lane.accountId)).find((one) => one.endpointId === endpointId);
  const listed: PendingDelivery[] = [];
  let complete = true;
  if (subscriber !== undefined) {
    const before = eventSortKeyAfter(positionOfSortKey(lane.last));
    const past = await findBookingPast(models, lane.accountId, bookingId);
    const owed: PublicEvent[] = [];
    let after = [lane.namedTo, eventSortKey(BigInt(subscriber.from), 0)].sort().at(-1);
    while (past !== undefined && after !== undefined && owed.length <= MAX_LISTED_DELIVERIES) {
      const range = { order: "ascending", limit: MAX_LISTED_DELIVERIES + 1, after, before } as const;
      const { entries, next } = await past.events(range, ({ type }) => subscriber.events.has(type));
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
