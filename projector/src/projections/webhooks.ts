import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import type { EventType } from "@travel-booking/api-contract/vocabulary";
import type { WebhookEndpointRegistered, WebhookEndpointsEvent } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { type Projection, type Recorded, recorded, wholeDocument } from "../projection.ts";

const { model, byAccount, all } = WEBHOOKS.endpoint;

function endpointWrite({ data, at, position }: Recorded<WebhookEndpointRegistered>): Write {
  const { accountId, endpointId, url } = data;
  const events = data.events as readonly EventType[];
  const body: WebhookEndpointBody = { id: endpointId, url, events: [...events] };
  const state: EndpointRegistration = { accountId, endpointId, url, events, registeredAt: at };
  const sort = positionSort(position);
  return wholeDocument(model, {
    key: ownedKey(accountId, endpointId),
    position,
    body: JSON.stringify(body),
    state,
    indexes: { [byAccount]: { partition: accountId, sort }, [all]: { partition: ALL_PARTITION, sort } },
  });
}

function writeOf(event: Recorded<WebhookEndpointsEvent>): Write {
  if (event.type === "WebhookEndpointRegistered") return endpointWrite(event);
  const { accountId, endpointId } = event.data;
  return { kind: "delete", model, key: ownedKey(accountId, endpointId), position: event.position };
}

/** The webhook endpoints of accounts. */
export const webhooks: Projection = {
  name: WEBHOOKS.projection,
  version: WEBHOOKS.version,
  models: { [model]: { indexes: [byAccount, all] } },
  handlers: { webhookEndpoints: { apply: (event) => [writeOf(recorded<WebhookEndpointsEvent>(event))] } },
};
