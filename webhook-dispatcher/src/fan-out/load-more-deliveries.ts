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
import { deliverableEvent, toPendingDelivery } from "./deliverable-event.ts";
import { isSubscribed, subscribersOf } from "./subscribers.ts";

export interface LoadMoreDeliveriesOptions {
  readonly models: ReadModels;
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
}

const PAGE = 200;

/** Names the next deliveries of a lane that has only counted them: they are in the read models, in order. */
export async function loadMoreDeliveries(
  { models, lanes, endpoints }: LoadMoreDeliveriesOptions,
  { key, lane }: StoredLane,
): Promise<void> {
  const { endpointId, bookingId } = parseLaneKey(key);
  const subscriber = (await subscribersOf(models, lane.accountId)).find((one) => one.endpointId === endpointId);
  const named: PendingDelivery[] = [];
  let after = lane.namedTo;
  let complete = subscriber === undefined;
  while (subscriber !== undefined && !complete && named.length < MAX_LISTED_DELIVERIES) {
    const page = await models.page(EVENTS.event.model, {
      index: EVENTS.event.byBooking,
      partition: ownedKey(lane.accountId, bookingId),
      order: "ascending",
      limit: PAGE,
      after,
    });
    for (const item of page) {
      if (item.sort > lane.last || named.length === MAX_LISTED_DELIVERIES) break;
      after = item.sort;
      const event = deliverableEvent(item);
      if (isSubscribed(subscriber, event)) named.push(toPendingDelivery(event));
    }
    const isEnd = page.length < PAGE || (page.at(-1)?.sort ?? "") >= lane.last;
    complete = after === lane.last || (isEnd && named.length < MAX_LISTED_DELIVERIES);
  }
  const { health } = await endpoints.get(endpointId);
  await lanes.change(key, (now) => {
    if (now === undefined || now.namedTo !== lane.namedTo || !needsRefill(applyHealthToLane(now, health))) return now;
    return { ...now, ...withRefill(now, named, complete && now.last === lane.last) };
  });
}
