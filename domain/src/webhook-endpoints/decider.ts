import { assertNever } from "../shared/assert-never.ts";
import { accept, type Decider, reject } from "../shared/decision.ts";
import type { WebhookEndpointsCommand } from "./commands.ts";
import type { WebhookEndpointsEvent } from "./events.ts";
import { evolveWebhookEndpoints, type WebhookEndpointsState } from "./state.ts";

/** Endpoints an account may have at once (docs/rules.md#webhook-endpoints). */
export const MAX_WEBHOOK_ENDPOINTS = 100;

export type WebhookEndpointsRejectionCode = "endpoint_not_found" | "too_many_endpoints";

/** The endpoints of one account, in one stream, so that their number is decided in one place. */
export const webhookEndpointsDecider: Decider<
  WebhookEndpointsCommand,
  WebhookEndpointsState,
  WebhookEndpointsEvent,
  WebhookEndpointsRejectionCode
> = {
  initialState: () => new Map(),
  decide(command, state, at) {
    const endpoint = state.get(command.endpointId);
    switch (command.type) {
      case "RegisterWebhookEndpoint": {
        if (endpoint !== undefined) return accept();
        if (state.size >= MAX_WEBHOOK_ENDPOINTS) return reject("too_many_endpoints", { most: MAX_WEBHOOK_ENDPOINTS });
        const { type: _, ...data } = command;
        return accept({ type: "WebhookEndpointRegistered", at, data });
      }
      case "DeleteWebhookEndpoint": {
        if (endpoint === undefined) return reject("endpoint_not_found");
        const { endpointId, accountId } = endpoint;
        return accept({ type: "WebhookEndpointDeleted", at, data: { endpointId, accountId } });
      }
      default:
        return assertNever(command);
    }
  },
  evolve: evolveWebhookEndpoints,
};
