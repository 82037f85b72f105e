import {
  applyHealthToLane,
  MAX_LISTED_DELIVERIES,
  needsRefill,
  type PendingDelivery,
  withRefill,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS, ownedKey } from "@travel-booking/read-models";
import { type EndpointStates, type Lanes, parseLaneKey, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { deliverableEvent, isSubscribed, subscribersOf, toPendingDelivery } from "./subscribers.ts";

interface LoadMoreDeliveriesOptions {
  readonly models: ReadModels;
  readonly lanes: Pick<Lanes, "change">;
  readonly endpoints: EndpointStates;
}

const PAGE = 200;

/** Lists the next deliveries of a lane that has only counted them, from the events of its booking in the read models. */
export async function loadMoreDeliveries(
  { models, lanes, endpoints }: LoadMoreDeliveriesOptions,
  { key, lane }: StoredLane,
): Promise<void> {
  const { endpointId, bookingId } = parseLaneKey(key);
  const subscriber = (await subscribersOf(models, lane.accountId)).find((one) => one.endpointId === endpointId);
  const listed: PendingDelivery[] = [];
  let after = lane.namedTo;
  let complete = subscriber === undefined;
  while (subscriber !== undefined && !complete && listed.length < MAX_LISTED_DELIVERIES) {
    const page = await models.page(EVENTS.event.model, {
      index: EVENTS.event.byBooking,
      partition: ownedKey(lane.accountId, bookingId),
      order: "ascending",
      limit: PAGE,
      after,
    });
    for (const item of page) {
      if (item.sort > lane.last || listed.length === MAX_LISTED_DELIVERIES) break;
      after = item.sort;
      const event = deliverableEvent(item);
      if (isSubscribed(subscriber, event)) listed.push(toPendingDelivery(event));
    }
    const isEnd = page.length < PAGE || (page.at(-1)?.sort ?? "") >= lane.last;
    complete = after === lane.last || (isEnd && listed.length < MAX_LISTED_DELIVERIES);
  }
  const { health } = await endpoints.get(endpointId);
  await lanes.change(key, (current) => {
    if (current?.namedTo !== lane.namedTo || !needsRefill(applyHealthToLane(current, health))) return current;
    return { ...current, ...withRefill(current, listed, complete && current.last === lane.last) };
  });
}
