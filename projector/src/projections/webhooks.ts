import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import type { PublicEventType } from "@travel-booking/domain";
import { endpointAfter, publicEventMadeBy, rotationAfter, type WebhookEndpointsEvent } from "@travel-booking/domain";
import {
  ALL_PARTITION,
  type EndpointRegistration,
  eventSortKey,
  feedOf,
  ownedKey,
  publicEventId,
  type StoredHealth,
  WEBHOOKS,
} from "@travel-booking/read-models";
import {
  type DocumentPut,
  fixedModels,
  foldingHandler,
  type Projection,
  placesByCreation,
  type Recorded,
  recorded,
} from "../projection.ts";
import { eventPut } from "./public-event.ts";

const { model, byAccount, all } = WEBHOOKS.endpoint;

function evolve(
  before: EndpointRegistration | undefined,
  event: Recorded<WebhookEndpointsEvent>,
): EndpointRegistration | undefined {
  if (event.type === "WebhookEndpointRegistered") {
    const { events, ...data } = event.data;
    return { ...data, events: events as readonly PublicEventType[], registeredAt: event.at };
  }
  // Without transactions, the endpoint may already be deleted when its earlier events are delivered again.
  if (before === undefined || event.type === "WebhookEndpointDeleted") return undefined;
  if (event.type === "WebhookEndpointChanged") return endpointAfter(before, event);
  return event.type === "WebhookSecretRotated" ? { ...before, rotation: rotationAfter(before, event) } : before;
}

const endpoints = foldingHandler<EndpointRegistration, WebhookEndpointsEvent>(
  model,
  ({ data }) => ownedKey(data.accountId, data.endpointId),
  evolve,
);

/** The public event about an endpoint that an event makes, if any. */
function publicEvents(event: Recorded<WebhookEndpointsEvent>): readonly DocumentPut[] {
  if (event.type !== "WebhookEndpointFailing" && event.type !== "WebhookEndpointRecovered") return [];
  const type = publicEventMadeBy(event.type);
  if (type === undefined) return [];
  const { id, at, revision, position, data } = event;
  const { endpointId: about, accountId, ...state } = data;
  const stub = { eventId: publicEventId(id, type, about), type, accountId, about, at, revision };
  return [{ ...eventPut(stub, eventSortKey(position, 0)), state: state satisfies StoredHealth }];
}

/** The webhook endpoints of accounts. */
export const webhooks: Projection = {
  name: WEBHOOKS.projection,
  version: WEBHOOKS.version,
  models: {
    ...fixedModels(feedOf("endpoint")),
    [model]: {
      represent({ accountId, endpointId, url, events }: EndpointRegistration, { created }) {
        const body: WebhookEndpointBody = { id: endpointId, url, events: [...events] };
        const indexes = placesByCreation(created, { [byAccount]: accountId, [all]: ALL_PARTITION });
        return { body: JSON.stringify(body), indexes };
      },
    },
  },
  handlers: {
    webhookEndpoints: {
      reads: endpoints.reads,
      apply: (event, documents) => [...endpoints.apply(event, documents), ...publicEvents(recorded(event))],
    },
  },
};
