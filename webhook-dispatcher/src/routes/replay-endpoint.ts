import { type ReplayWebhookEndpointRequest, replayWebhookEndpointOperation } from "@travel-booking/api-contract";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import type { ReplayRequests } from "@travel-booking/webhooks/deliveries";
import { commandIdOf, ENDPOINT_NOT_FOUND, endpointRefOf } from "./endpoint-ref.ts";

export interface ReplayEndpointOptions {
  readonly models: ReadModels;
  readonly requests: ReplayRequests;
  /** There is a replay to be carried out. */
  readonly onReplayRequested: () => void;
}

/** What the endpoint was sent since a moment, or should have been, it is sent once more: soon, and in order. */
export function replayEndpoint({ models, requests, onReplayRequested }: ReplayEndpointOptions): Route {
  return {
    operation: replayWebhookEndpointOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<unknown, ReplayWebhookEndpointRequest>) {
      const { accountId, endpointId } = endpointRefOf(request);
      const known = await models.body(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
      if (known === undefined) return ENDPOINT_NOT_FOUND;
      await requests.add(commandIdOf(request), { accountId, endpointId, since: request.body.since });
      onReplayRequested();
      return { status: 202, json: null };
    },
  };
}
