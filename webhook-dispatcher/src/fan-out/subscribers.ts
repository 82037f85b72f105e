import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { type Lane, newLane, type PendingDelivery } from "@travel-booking/domain";
import { type PageItem, parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { idOfOwnedKey, parseEventStub, WEBHOOKS } from "@travel-booking/read-models";
import { type Lanes, laneKey } from "@travel-booking/webhooks/deliveries";

/** More than an account may have. */
const MAX_ENDPOINTS = 1_000;

/** The subscription of an endpoint. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: ReadonlySet<string>;
  /** The endpoint gets the events after this sort key. */
  readonly from: string;
}

/** The endpoints of an account. */
export async function subscribersOf(models: ReadModels, accountId: string): Promise<readonly Subscriber[]> {
  const { model, byAccount: index } = WEBHOOKS.endpoint;
  const page = await models.page(model, { index, partition: accountId, order: "ascending", limit: MAX_ENDPOINTS });
  return page.map((item) => ({
    endpointId: idOfOwnedKey(item.key),
    events: new Set<string>(parseBody<WebhookEndpointBody>(item).events),
    from: item.sort,
  }));
}

export function isSubscribed(
  { events, from }: Subscriber,
  { type, sort }: { readonly type: string; readonly sort: string },
) {
  return events.has(type) && sort > from;
}

/** The part of an event that deliveries need. */
interface DeliverableEvent extends PendingDelivery {
  readonly accountId: string;
  readonly bookingId: string;
}

/** Reads an event from an index. */
export function deliverableEvent(item: PageItem): DeliverableEvent {
  const { eventId, type, at, accountId, bookingId } = parseEventStub(item.key, item);
  return { eventId, type, sort: item.sort, at, accountId, bookingId };
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
  const byLane = Map.groupBy(subscribed, ({ endpointId, event: { bookingId } }) => laneKey({ endpointId, bookingId }));
  const changed = Array.from(byLane, async ([key, added]) => {
    const deliveries = added.map(({ event }) => toPendingDelivery(event));
    const fresh = { ...newLane(added[0]?.event.accountId ?? ""), holder: null };
    await lanes.change(key, (lane = fresh) => ({ ...lane, ...change(lane, deliveries) }));
    return key;
  });
  return Promise.all(changed);
}
