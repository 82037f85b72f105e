import {
  getWebhookStatusOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  type PageQuery,
  webhookDeliveryJson,
  webhookStatusBody,
} from "@travel-booking/api-contract";
import { MAX_WEBHOOK_ENDPOINTS } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { type ApiRequest, type PageEntry, pageResponse, type Route } from "@travel-booking/http";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { findEvent } from "./events.ts";
import { accountOf, notFound } from "./reading.ts";

/** What is known of an endpoint of this account; undefined where it has none with this id. */
export async function findEndpoint(
  models: Pick<ReadModels, "document">,
  accountId: string,
  id: string,
): Promise<EndpointRegistration | undefined> {
  const document = await models.document(WEBHOOKS.endpoint.model, ownedKey(accountId, id));
  return document?.state as EndpointRegistration | undefined;
}

/** The account's webhook endpoints, newest first: all of them, for there can't be many. */
export function listWebhookEndpoints({ models }: QueryDependencies): Route {
  const { model, byAccount: index } = WEBHOOKS.endpoint;
  return {
    operation: listWebhookEndpointsOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest) {
      const partition = accountOf(request);
      const items = await models.page(model, { index, partition, order: "descending", limit: MAX_WEBHOOK_ENDPOINTS });
      const json = items.map((item) => Buffer.from(item.json).toString()).join();
      return { status: 200, json: `{"data":[${json}]}` };
    },
  };
}

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

/** The attempts to deliver to a webhook endpoint, newest first, each with the event that was sent. */
export function listWebhookDeliveries(dependencies: QueryDependencies): Route {
  const { models, cursors } = dependencies;
  return {
    operation: listWebhookDeliveriesOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const id = request.params.id ?? "";
      if ((await findEndpoint(models, accountId, id)) === undefined) return notFound("webhook endpoint");
      return pageResponse({
        cursors,
        scope: { operationId: listWebhookDeliveriesOperation.id, accountId, filters: { id } },
        limit: request.query.limit,
        cursor: request.query.cursor,
        read: (limit, after) => attempts(dependencies, accountId, id, limit, after),
      });
    },
  };
}

async function attempts(
  dependencies: QueryDependencies,
  accountId: string,
  endpointId: string,
  limit: number,
  after: string | undefined,
): Promise<readonly PageEntry[]> {
  const logged = await dependencies.deliveries.attempts(endpointId, { limit, after });
  const entries = await Promise.all(
    logged.map(async ({ sort, attempt }) => {
      const event = await findEvent(dependencies, accountId, attempt.eventId);
      return event && { sort, json: Buffer.from(webhookDeliveryJson(attempt, Buffer.from(event).toString())) };
    }),
  );
  // A test event is forgotten sooner than that it was sent.
  return entries.filter((entry) => entry !== undefined);
}
