import { assertNever } from "../shared/assert-never.ts";
import type { Instant } from "../shared/decision.ts";
import type { WebhookEndpointRegistered, WebhookEndpointsEvent } from "./events.ts";

type Registered = WebhookEndpointRegistered["data"];
export interface WebhookEndpoint extends Registered {
  readonly registeredAt: Instant;
}

/** The endpoints an account has now, by their ids. */
export type WebhookEndpointsState = Map<string, WebhookEndpoint>;

/** Folds one event in. Consumes the state: it is changed and returned. */
export function evolveWebhookEndpoints(
  state: WebhookEndpointsState,
  event: WebhookEndpointsEvent,
): WebhookEndpointsState {
  switch (event.type) {
    case "WebhookEndpointRegistered":
      state.set(event.data.endpointId, { ...event.data, registeredAt: event.at });
      return state;
    case "WebhookEndpointDeleted":
      state.delete(event.data.endpointId);
      return state;
    default:
      return assertNever(event);
  }
}
