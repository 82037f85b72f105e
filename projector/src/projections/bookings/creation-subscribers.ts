import type { BookingCreated, PublicEventType, WebhookEndpointsEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { BOOKINGS } from "@travel-booking/read-models";
import { type DocumentKey, type Documents, foldingHandler, recorded } from "../../projection.ts";

const { model } = BOOKINGS.creationSubscribers;
const CREATION: PublicEventType = "booking.created";

/**
 * The ids of the endpoints of an account that get `booking.created`. An event without data stops the projection
 * `webhooks`, which shows endpoints, and not this one, too.
 */
export const creationSubscribersHandler = foldingHandler<readonly string[], WebhookEndpointsEvent>(
  model,
  ({ data }) => data?.accountId,
  (before = [], { type, data }) => {
    const events = type === "WebhookEndpointDeleted" ? [] : "events" in data ? data.events : undefined;
    if (events === undefined) return before;
    const others = before.filter((id) => id !== data.endpointId);
    return events.includes(CREATION) ? [...others, data.endpointId] : others;
  },
);

/** What tells of a new booking whether its account has such endpoints. */
export function creationSubscribersOf(event: RecordedEvent): readonly DocumentKey[] {
  if (event.type !== "BookingCreated") return [];
  return [{ model, key: recorded<BookingCreated>(event).data.accountId }];
}

export function isSubscribedTo(documents: Documents, accountId: string): boolean {
  return (documents.state<readonly string[]>(model, accountId) ?? []).length > 0;
}
