import { getWebhookStatusOperation, webhookStatusBody } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { WEBHOOKS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { notFound } from "../reading/json-or-not-found.ts";
import { findEndpoint } from "./find-endpoint.ts";

/** How deliveries to a webhook endpoint stand at this moment. */
export function getWebhookStatus({ models, deliveries, clock }: QueryDependencies): Route {
  return {
    operation: getWebhookStatusOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest) {
      const endpoint = await findEndpoint(models, accountOf(request), request.params.id ?? "");
      if (endpoint === undefined) return notFound("webhook endpoint");
      const status = await deliveries.status(endpoint.endpointId, clock.now());
      return { status: 200, json: JSON.stringify(webhookStatusBody(status, endpoint.registeredAt)) };
    },
  };
}
