import type { EventBody } from "@travel-booking/api-contract";
import type { PendingDelivery } from "@travel-booking/domain";
import { type PageItem, parseBody } from "@travel-booking/engines/read-store";
import { idOfOwnedKey } from "@travel-booking/read-models";

/** An event, as far as delivering it goes by it. */
export interface DeliverableEvent extends PendingDelivery {
  readonly bookingId: string;
}

/** What an entry of an index of events says. Payments share their booking's lane. */
export function deliverableEvent(item: PageItem): DeliverableEvent {
  const { type, createdAt, data } = parseBody<EventBody>(item);
  const bookingId = "bookingId" in data.object ? data.object.bookingId : data.object.id;
  return { eventId: idOfOwnedKey(item.key), type, sort: item.sort, at: Date.parse(createdAt), bookingId };
}

/** Whose event it is. */
export function accountOfEventItem({ key }: PageItem): string {
  return key.slice(0, key.indexOf("/"));
}

export function toPendingDelivery({ eventId, type, sort, at }: DeliverableEvent): PendingDelivery {
  return { eventId, type, sort, at };
}
