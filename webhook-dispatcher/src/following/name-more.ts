import { laneUnder, MOST_NAMED, needsNames, type OwedDelivery, withNames } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS, ownedKey } from "@travel-booking/read-models";
import { type EndpointStates, type Lanes, laneName, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { owed, publicEvent } from "./public-event.ts";
import { isSubscribed, subscribersOf } from "./subscribers.ts";

export interface NameMoreOptions {
  readonly models: ReadModels;
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
}

const PAGE = 200;

/** Names the next deliveries of a lane that has only counted them: they are in the read models, in order. */
export async function nameMore(
  { models, lanes, endpoints }: NameMoreOptions,
  { key, lane }: StoredLane,
): Promise<void> {
  const { endpointId, bookingId } = laneName(key);
  const subscriber = (await subscribersOf(models, lane.accountId)).find((one) => one.endpointId === endpointId);
  const named: OwedDelivery[] = [];
  let after = lane.namedTo;
  let complete = subscriber === undefined;
  while (subscriber !== undefined && !complete && named.length < MOST_NAMED) {
    const page = await models.page(EVENTS.event.model, {
      index: EVENTS.event.byBooking,
      partition: ownedKey(lane.accountId, bookingId),
      order: "ascending",
      limit: PAGE,
      after,
    });
    for (const item of page) {
      if (item.sort > lane.last || named.length === MOST_NAMED) break;
      after = item.sort;
      const event = publicEvent(item);
      if (isSubscribed(subscriber, event)) named.push(owed(event));
    }
    const isEnd = page.length < PAGE || (page.at(-1)?.sort ?? "") >= lane.last;
    complete = after === lane.last || (isEnd && named.length < MOST_NAMED);
  }
  const { health } = await endpoints.get(endpointId);
  await lanes.change(key, (now) => {
    if (now === undefined || now.namedTo !== lane.namedTo || !needsNames(laneUnder(now, health))) return now;
    return { ...now, ...withNames(now, named, complete && now.last === lane.last) };
  });
}
