import { webhookStatusBody } from "@travel-booking/api-contract";
import { webhookEndpointsDecider } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { commandRequest } from "../command-handling/request-context.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import type { CommandServices } from "../services.ts";
import { webhookEndpointsStream } from "../streams.ts";

/** `POST /v1/webhook-endpoints/{id}/resume`. An endpoint that is delivered to anyway stays as it is. */
export function resumeWebhookEndpoint({ handler, webhooks, clock }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const { accountId } = commandRequest(request).caller;
    const endpointId = request.params.id ?? "";
    const registeredAt = await handler.readState({
      stream: webhookEndpointsStream(accountId),
      decider: webhookEndpointsDecider,
      reply: (endpoints) => endpoints.get(endpointId)?.registeredAt,
    });
    if (registeredAt === undefined) return rejectionResponse({ code: "endpoint_not_found" });
    const now = clock.now();
    await webhooks.deliveries.resume(endpointId, now);
    const status = await webhooks.deliveries.status(endpointId, now);
    return { status: 200, json: JSON.stringify(webhookStatusBody(status, registeredAt)) };
  };
}
