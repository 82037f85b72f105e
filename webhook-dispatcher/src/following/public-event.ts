import type { EventBody } from "@travel-booking/api-contract";
import type { OwedDelivery } from "@travel-booking/domain";
import { type PageItem, parseBody } from "@travel-booking/engines/read-store";
import { idOfOwnedKey } from "@travel-booking/read-models";

/** An event, as far as delivering it goes by it. */
export interface PublicEvent extends OwedDelivery {
  readonly bookingId: string;
}

/** What an entry of an index of events says. Payments share their booking's lane. */
export function publicEvent(item: PageItem): PublicEvent {
  const { type, createdAt, data } = parseBody<EventBody>(item);
  const bookingId = "bookingId" in data.object ? data.object.bookingId : data.object.id;
  return { eventId: idOfOwnedKey(item.key), type, sort: item.sort, at: Date.parse(createdAt), bookingId };
}

/** Whose event it is. */
export function accountOfEvent({ key }: PageItem): string {
  return key.slice(0, key.indexOf("/"));
}

export function owed({ eventId, type, sort, at }: PublicEvent): OwedDelivery {
  return { eventId, type, sort, at };
}
