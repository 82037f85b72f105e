import {
  type CreateWebhookEndpointRequest,
  type NewWebhookEndpointBody,
  webhookStatusBody,
} from "@travel-booking/api-contract";
import { webhookEndpointsDecider } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { webhookEndpointIdOf } from "@travel-booking/runtime";
import { commandRequest, stepContext } from "./command-handling/command.ts";
import { created, noContent, rejectionResponse } from "./responses.ts";
import type { CommandServices } from "./services.ts";
import { webhookEndpointsStream } from "./streams.ts";

/**
 * `POST /v1/webhook-endpoints`. The secret is stored before the endpoint is registered, so that nothing is ever delivered
 * unsigned; a repeated command finds the secret it made. A host name that does not resolve now is accepted: it is checked
 * again at every delivery.
 */
export function createWebhookEndpoint({ handler, webhooks, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest<unknown, CreateWebhookEndpointRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { url, events } = request.body;
    const target = await webhooks.checkTarget(url);
    if (target.kind === "refused") return errorResponse(400, "target_refused", [`url ${target.reason}`]);

    const { accountId } = command.caller;
    const endpointId = webhookEndpointIdOf(command.identity.commandId);
    const secret = await webhooks.secrets.getOrCreate(endpointId);
    reachedFaultPoint("endpoint:secret");
    const outcome = await handler.execute({
      stream: webhookEndpointsStream(accountId),
      decider: webhookEndpointsDecider,
      command: { type: "RegisterWebhookEndpoint", endpointId, accountId, url, events },
      context: stepContext(command, 0),
      reply: (endpoints) => endpoints.has(endpointId),
    });
    reachedFaultPoint("endpoint:registered");
    // Also where an earlier attempt made it and it was deleted before this one.
    if (!outcome.accepted || !outcome.reply) await webhooks.secrets.remove(endpointId);
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    const body: NewWebhookEndpointBody = { id: endpointId, url, events: [...events], secret };
    return created(body, outcome.position);
  };
}

/**
 * `DELETE /v1/webhook-endpoints/{id}`. Dispatchers check before each attempt whether the endpoint is stopped, and that is
 * stored before the response. After a crash in between they learn it from the read model a moment later.
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

/** `POST /v1/webhook-endpoints/{id}/resume`. An endpoint that is delivered to anyway stays as it is. */
export function resumeWebhookEndpoint({ handler, webhooks, clock }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const { caller, identity } = commandRequest(request);
    const { accountId } = caller;
    const endpointId = request.params.id ?? "";
    const registeredAt = await handler.readState({
      stream: webhookEndpointsStream(accountId),
      decider: webhookEndpointsDecider,
      reply: (endpoints) => endpoints.get(endpointId)?.registeredAt,
    });
    if (registeredAt === undefined) return rejectionResponse({ code: "endpoint_not_found" });
    const now = clock.now();
    identity.mayHaveActed = true;
    await webhooks.deliveries.resume(endpointId, now);
    const status = await webhooks.deliveries.status(endpointId, now);
    return { status: 200, json: JSON.stringify(webhookStatusBody(status, registeredAt)) };
  };
}
