import { listWebhookEndpointsOperation } from "@travel-booking/api-contract";
import { MAX_WEBHOOK_ENDPOINTS } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { WEBHOOKS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";

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
