import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import type { EventType } from "@travel-booking/api-contract/vocabulary";
import { rotationAfter, type WebhookEndpointsEvent } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { type Change, type Documents, foldedModel, type Projection, type Recorded, recorded } from "../projection.ts";

const { model, byAccount, all } = WEBHOOKS.endpoint;

const keyOf = ({ data }: WebhookEndpointsEvent) => ownedKey(data.accountId, data.endpointId);

function changes(event: Recorded<WebhookEndpointsEvent>, documents: Documents): readonly Change[] {
  const key = keyOf(event);
  const fold = (state: EndpointRegistration): readonly Change[] => [{ kind: "fold", model, key, state }];
  if (event.type === "WebhookEndpointDeleted") return [{ kind: "delete", model, key, position: event.position }];
  if (event.type === "WebhookEndpointRegistered") {
    const { accountId, endpointId, url, events } = event.data;
    return fold({ accountId, endpointId, url, events: events as readonly EventType[], registeredAt: event.at });
  }
  // Without transactions it may be deleted already when its earlier events are delivered again.
  const before = documents.state<EndpointRegistration>(model, key);
  if (before === undefined) return [];
  return fold({ ...before, rotation: rotationAfter(before, event) });
}

/** The webhook endpoints of accounts. */
export const webhooks: Projection = {
  name: WEBHOOKS.projection,
  version: WEBHOOKS.version,
  models: {
    [model]: foldedModel<EndpointRegistration>(
      [byAccount, all],
      ({ accountId, endpointId, url, events }, { created }) => {
        const body: WebhookEndpointBody = { id: endpointId, url, events: [...events] };
        const sort = positionSort(created);
        return {
          body: JSON.stringify(body),
          indexes: { [byAccount]: { partition: accountId, sort }, [all]: { partition: ALL_PARTITION, sort } },
          staleAt: null,
        };
      },
    ),
  },
  handlers: {
    webhookEndpoints: {
      reads: (event) => [{ model, key: keyOf(recorded<WebhookEndpointsEvent>(event)) }],
      apply: (event, documents) => changes(recorded<WebhookEndpointsEvent>(event), documents),
    },
  },
};
