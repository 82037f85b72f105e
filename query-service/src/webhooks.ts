import {
  getWebhookEndpointOperation,
  getWebhookStatusOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  type PageQuery,
  webhookDeliveryJson,
  webhookStatusBody,
} from "@travel-booking/api-contract";
import { MAX_WEBHOOK_ENDPOINTS } from "@travel-booking/domain";
import type { PageRequest } from "@travel-booking/engines/read-store";
import type { ApiRequest, PageEntry, Route } from "@travel-booking/http";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { findEvents } from "./events.ts";
import { accountOf, entriesAt, jsonOrNotFound, listPage, notFound } from "./reading.ts";

const { model, byAccount } = WEBHOOKS.endpoint;
const reads = [WEBHOOKS.projection];

async function findEndpoint({ models }: QueryDependencies, request: ApiRequest) {
  const document = await models.document(model, ownedKey(accountOf(request), request.params.id ?? ""));
  return document?.state as EndpointRegistration | undefined;
}

/** Webhook endpoints; lists are newest first. */
export function webhookRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, deliveries, clock } = dependencies;
  return [
    {
      operation: listWebhookEndpointsOperation,
      reads,
      /** Without pages. */
      async handler(request: ApiRequest) {
        const page = { index: byAccount, partition: accountOf(request), limit: MAX_WEBHOOK_ENDPOINTS };
        const items = await models.page(model, { ...page, order: "descending" });
        const json = items.map((item) => item.json).join();
        return { status: 200, json: `{"data":[${json}]}` };
      },
    },
    {
      operation: getWebhookEndpointOperation,
      reads,
      async handler(request: ApiRequest) {
        const key = ownedKey(accountOf(request), request.params.id ?? "");
        return jsonOrNotFound((await models.body(model, key))?.json, "webhook endpoint");
      },
    },
    {
      operation: getWebhookStatusOperation,
      reads,
      async handler(request: ApiRequest) {
        const endpoint = await findEndpoint(dependencies, request);
        if (endpoint === undefined) return notFound("webhook endpoint");
        const status = await deliveries.status(endpoint.endpointId, clock.now());
        return { status: 200, json: JSON.stringify(webhookStatusBody(status, endpoint)) };
      },
    },
    {
      operation: listWebhookDeliveriesOperation,
      reads,
      /** The attempts, each with the event that was sent. */
      async handler(request: ApiRequest<PageQuery>) {
        const endpoint = await findEndpoint(dependencies, request);
        if (endpoint === undefined) return notFound("webhook endpoint");
        const { accountId, endpointId: id } = endpoint;
        const scope = { operationId: listWebhookDeliveriesOperation.id, accountId, filters: { id } };
        return listPage(dependencies, scope, request.query, (range) =>
          readDeliveries(dependencies, accountId, id, range),
        );
      },
    },
  ];
}

async function readDeliveries(
  dependencies: QueryDependencies,
  accountId: string,
  endpointId: string,
  range: Pick<PageRequest, "limit" | "after">,
): Promise<readonly PageEntry[]> {
  const logged = await dependencies.deliveries.attempts.page(endpointId, range);
  const ids = logged.map(({ attempt }) => attempt.eventId);
  const { json, ...found } = await findEvents(dependencies, accountId, ids);
  const deliveries = logged.slice(0, json.length).map(({ attempt }, at) => {
    const event = json[at];
    // A test event expires before the record of its delivery.
    return event && webhookDeliveryJson(attempt, event);
  });
  return entriesAt(logged, { ...found, json: deliveries });
}
