import { listWebhookDeliveriesOperation, type PageQuery, webhookDeliveryJson } from "@travel-booking/api-contract";
import { type ApiRequest, type PageEntry, pageResponse, type Route } from "@travel-booking/http";
import { WEBHOOKS } from "@travel-booking/read-models";
import { findEvent } from "../events/find-event.ts";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { notFound } from "../reading/json-or-not-found.ts";
import { findEndpoint } from "./find-endpoint.ts";

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
