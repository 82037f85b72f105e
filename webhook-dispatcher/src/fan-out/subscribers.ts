import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { type Lane, newLane, type PendingDelivery, PUBLIC_EVENTS, type PublicEventType } from "@travel-booking/domain";
import { type PageItem, parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { type EventStub, idOfOwnedKey, parseEventStub, WEBHOOKS } from "@travel-booking/read-models";
import { type Lanes, laneKey } from "@travel-booking/webhooks/deliveries";

/** More than an account may have. */
const MAX_ENDPOINTS = 1_000;

/** The subscription of an endpoint. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: ReadonlySet<PublicEventType>;
  /** The endpoint gets the events after this sort key. */
  readonly from: string;
}

/** The endpoints of an account. */
export async function subscribersOf(models: ReadModels, accountId: string): Promise<readonly Subscriber[]> {
  const { model, byAccount: index } = WEBHOOKS.endpoint;
  const page = await models.page(model, { index, partition: accountId, order: "ascending", limit: MAX_ENDPOINTS });
  return page.map((item) => ({
    endpointId: idOfOwnedKey(item.key),
    events: new Set(parseBody<WebhookEndpointBody>(item).events),
    from: item.sort,
  }));
}

/** No endpoint is told of itself. */
export function isSubscribed(
  { endpointId, events, from }: Subscriber,
  { type, about, sort }: Pick<DeliverableEvent, "type" | "about" | "sort">,
) {
  return events.has(type) && about !== endpointId && sort > from;
}

/** The part of an event that deliveries need. */
type DeliverableEvent = Pick<EventStub, "eventId" | "type" | "at" | "accountId" | "about"> & Pick<PageItem, "sort">;

/** Reads an event from an index. */
export function deliverableEvent(item: PageItem): DeliverableEvent {
  return { ...parseEventStub(item.key, item), sort: item.sort };
}

export function toPendingDelivery({ eventId, type, sort, at }: PendingDelivery): PendingDelivery {
  return { eventId, type, sort, at };
}

/** An event for one endpoint. */
export interface SubscribedEvent {
  readonly endpointId: string;
  readonly event: DeliverableEvent;
}

/**
 * Adds events to their lanes, in order, with one write per lane. Resolves with the keys of these lanes. Payments share
 * their booking's lane.
 */
export async function addToLanes(
  lanes: Lanes,
  subscribed: readonly SubscribedEvent[],
  change: (lane: Lane, deliveries: readonly PendingDelivery[]) => Lane,
): Promise<readonly string[]> {
  const byLane = Map.groupBy(subscribed, ({ endpointId, event: { about } }) => laneKey({ endpointId, about }));
  const changed = Array.from(byLane, async ([key, added]) => {
    const deliveries = added.map(({ event }) => toPendingDelivery(event));
    const [first] = added;
    const fresh = {
      ...newLane(first?.event.accountId ?? "", first && PUBLIC_EVENTS[first.event.type].lane),
      holder: null,
    };
    await lanes.change(key, (lane = fresh) => ({ ...lane, ...change(lane, deliveries) }));
    return key;
  });
  return Promise.all(changed);
}
