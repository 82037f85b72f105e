import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import type { PublicEventType } from "@travel-booking/domain";
import { endpointAfter, rotationAfter, type WebhookEndpointsEvent } from "@travel-booking/domain";
import { ALL_PARTITION, type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { foldingHandler, type Projection, placesByCreation, type Recorded } from "../projection.ts";

const { model, byAccount, all } = WEBHOOKS.endpoint;

function evolve(
  before: EndpointRegistration | undefined,
  event: Recorded<WebhookEndpointsEvent>,
): EndpointRegistration | undefined {
  if (event.type === "WebhookEndpointDeleted") return undefined;
  if (event.type === "WebhookEndpointRegistered") {
    const { events, ...data } = event.data;
    return { ...data, events: events as readonly PublicEventType[], registeredAt: event.at };
  }
  // Without transactions, the endpoint may already be deleted when its earlier events are delivered again.
  if (event.type === "WebhookEndpointChanged") return before && endpointAfter(before, event);
  return before && { ...before, rotation: rotationAfter(before, event) };
}

/** The webhook endpoints of accounts. */
export const webhooks: Projection = {
  name: WEBHOOKS.projection,
  version: WEBHOOKS.version,
  models: {
    [model]: {
      represent({ accountId, endpointId, url, events }: EndpointRegistration, { created }) {
        const body: WebhookEndpointBody = { id: endpointId, url, events: [...events] };
        const indexes = placesByCreation(created, { [byAccount]: accountId, [all]: ALL_PARTITION });
        return { body: JSON.stringify(body), indexes };
      },
    },
  },
  handlers: {
    webhookEndpoints: foldingHandler<EndpointRegistration, WebhookEndpointsEvent>(
      model,
      ({ data }) => ownedKey(data.accountId, data.endpointId),
      evolve,
    ),
  },
};
