import { webhookEndpointsDecider } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { noContent } from "../responses/success.ts";
import type { CommandServices } from "../services.ts";
import { webhookEndpointsStream } from "../streams.ts";

/**
 * `DELETE /v1/webhook-endpoints/{id}`. Whoever delivers looks whether an endpoint is stopped before each attempt: that
 * is stored before this is answered. After a crash in between the read model tells them a moment later.
 */
export function deleteWebhookEndpoint({ handler, webhooks, clock, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const endpointId = request.params.id ?? "";
    const outcome = await handler.execute({
      stream: webhookEndpointsStream(command.caller.accountId),
      decider: webhookEndpointsDecider,
      command: { type: "DeleteWebhookEndpoint", endpointId },
      context: stepContext(command, 0),
      reply: () => undefined,
    });
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    reachedFaultPoint("endpoint:deleted");
    await webhooks.deliveries.stop(endpointId, clock.now());
    await webhooks.secrets.remove(endpointId);
    return noContent(outcome.position);
  };
}
