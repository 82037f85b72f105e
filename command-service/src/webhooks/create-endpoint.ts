import type { CreateWebhookEndpointRequest, NewWebhookEndpointBody } from "@travel-booking/api-contract";
import { webhookEndpointsDecider } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { webhookEndpointIdOf } from "@travel-booking/runtime";
import { refused } from "../edge/refused.ts";
import { created } from "../edge/responses.ts";
import { accountCommand, stepContext } from "../handling/request-context.ts";
import type { CommandServices } from "../services.ts";
import { webhookEndpointsStream } from "../streams.ts";

/**
 * `POST /v1/webhook-endpoints`. The secret is there before the endpoint is, so that nothing is ever delivered unsigned;
 * a repeated command finds the one it made. A host nobody can find now may be there tomorrow: it is checked again
 * whenever something is sent.
 */
export function createWebhookEndpoint({ handler, webhooks, reached }: CommandServices) {
  return async (request: ApiRequest<unknown, CreateWebhookEndpointRequest>): Promise<ApiResponse> => {
    const command = accountCommand(request);
    const { url, events } = request.body;
    const target = await webhooks.check(url);
    if (target.kind === "refused") return errorResponse(400, [`url ${target.reason}`]);

    const { accountId } = command.caller;
    const endpointId = webhookEndpointIdOf(command.identity.commandId);
    const secret = await webhooks.secrets.obtain(endpointId);
    reached("endpoint:secret");
    const outcome = await handler.execute({
      stream: webhookEndpointsStream(accountId),
      decider: webhookEndpointsDecider,
      command: { type: "RegisterWebhookEndpoint", endpointId, accountId, url, events },
      context: stepContext(command, 0),
      reply: (endpoints) => endpoints.has(endpointId),
    });
    reached("endpoint:registered");
    // Also where an earlier attempt made it and it was deleted before this one.
    if (!outcome.accepted || !outcome.reply) await webhooks.secrets.remove(endpointId);
    if (!outcome.accepted) return refused(outcome.rejection, outcome.position);
    const body: NewWebhookEndpointBody = { id: endpointId, url, events: [...events], secret };
    return created(body, outcome.position);
  };
}
