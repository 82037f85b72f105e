import { type Document, positionSort, type Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  type EndpointRegistration,
  EVENTS,
  type EventDocumentState,
  eventSortKey,
  ownedKey,
  WEBHOOKS,
} from "../src/index.ts";

export type EndpointFixture = Omit<EndpointRegistration, "registeredAt">;

/** As if the endpoint had been registered at this position. */
export function putEndpoint(position: bigint, endpoint: EndpointFixture): Write {
  const { accountId, endpointId, url, events } = endpoint;
  const { model, all, byAccount } = WEBHOOKS.endpoint;
  const sort = positionSort(position);
  return put(model, position, {
    key: ownedKey(accountId, endpointId),
    body: JSON.stringify({ id: endpointId, url, events }),
    state: endpoint,
    indexes: { [all]: { partition: ALL_PARTITION, sort }, [byAccount]: { partition: accountId, sort } },
  });
}

/** As if the event came from this position of the log. */
export function putEvent(position: bigint, id: string, body: string, state: EventDocumentState): Write {
  const { accountId, bookingId, type } = state;
  const { model, all, byAccount, byAccountAndType, byBooking } = EVENTS.event;
  const sort = eventSortKey(position, 0);
  return put(model, position, {
    key: ownedKey(accountId, id),
    body,
    state,
    indexes: {
      [all]: { partition: ALL_PARTITION, sort },
      [byAccount]: { partition: accountId, sort },
      [byAccountAndType]: { partition: ownedKey(accountId, type), sort },
      [byBooking]: { partition: ownedKey(accountId, bookingId), sort },
    },
  });
}

function put(model: string, position: bigint, document: Pick<Document, "key" | "body" | "state" | "indexes">): Write {
  return { kind: "put", model, document: { ...document, position, created: position, staleAt: null } };
}
