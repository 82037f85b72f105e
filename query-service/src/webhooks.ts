import {
  getWebhookStatusOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  type PageQuery,
  webhookDeliveryJson,
  webhookStatusBody,
} from "@travel-booking/api-contract";
import { MAX_WEBHOOK_ENDPOINTS } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { ApiRequest, PageEntry, Route } from "@travel-booking/http";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { findEvent } from "./events.ts";
import { accountOf, listPage, notFound } from "./reading.ts";

async function findEndpoint(
  models: Pick<ReadModels, "document">,
  accountId: string,
  id: string,
): Promise<EndpointRegistration | undefined> {
  const document = await models.document(WEBHOOKS.endpoint.model, ownedKey(accountId, id));
  return document?.state as EndpointRegistration | undefined;
}

/** Newest first, without pages. */
export function listWebhookEndpoints({ models }: QueryDependencies): Route {
  const { model, byAccount: index } = WEBHOOKS.endpoint;
  return {
    operation: listWebhookEndpointsOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest) {
      const partition = accountOf(request);
      const items = await models.page(model, { index, partition, order: "descending", limit: MAX_WEBHOOK_ENDPOINTS });
      const json = items.map((item) => item.json).join();
      return { status: 200, json: `{"data":[${json}]}` };
    },
  };
}

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

/** The attempts, newest first, each with the event that was sent. */
export function listWebhookDeliveries(dependencies: QueryDependencies): Route {
  const { models } = dependencies;
  return {
    operation: listWebhookDeliveriesOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const id = request.params.id ?? "";
      if ((await findEndpoint(models, accountId, id)) === undefined) return notFound("webhook endpoint");
      const scope = { operationId: listWebhookDeliveriesOperation.id, accountId, filters: { id } };
      return listPage(dependencies, scope, request.query, (range) =>
        readDeliveries(dependencies, accountId, id, range),
      );
    },
  };
}

async function readDeliveries(
  dependencies: QueryDependencies,
  accountId: string,
  endpointId: string,
  range: Pick<PageRequest, "limit" | "after">,
): Promise<readonly PageEntry[]> {
  const logged = await dependencies.deliveries.attempts(endpointId, range);
  const entries = await Promise.all(
    logged.map(async ({ sort, attempt }) => {
      const event = await findEvent(dependencies, accountId, attempt.eventId);
      return event === undefined ? undefined : { sort, json: webhookDeliveryJson(attempt, event) };
    }),
  );
  // A test event expires before the record of its delivery.
  return entries.filter((entry) => entry !== undefined);
}
