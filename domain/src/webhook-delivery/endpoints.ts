import { accept, assertNever, type Decider, type DomainEvent, type Instant, reject } from "../shared/decision.ts";

/** The signing secret is in no event; it is stored encrypted, elsewhere. */
export type WebhookEndpointRegistered = DomainEvent<
  "WebhookEndpointRegistered",
  {
    readonly endpointId: string;
    readonly accountId: string;
    readonly url: string;
    readonly events: readonly string[];
  }
>;
export type WebhookEndpointDeleted = DomainEvent<
  "WebhookEndpointDeleted",
  { readonly endpointId: string; readonly accountId: string }
>;

export type WebhookEndpointsEvent = WebhookEndpointRegistered | WebhookEndpointDeleted;

export interface RegisterWebhookEndpoint {
  readonly type: "RegisterWebhookEndpoint";
  readonly endpointId: string;
  readonly accountId: string;
  readonly url: string;
  /** The types of event it gets. */
  readonly events: readonly string[];
}

export interface DeleteWebhookEndpoint {
  readonly type: "DeleteWebhookEndpoint";
  readonly endpointId: string;
}

type WebhookEndpointsCommand = RegisterWebhookEndpoint | DeleteWebhookEndpoint;

type Registered = WebhookEndpointRegistered["data"];
export interface WebhookEndpoint extends Registered {
  readonly registeredAt: Instant;
}

/** The endpoints an account has now, by their ids. */
type WebhookEndpointsState = Map<string, WebhookEndpoint>;

/** Folds one event in. Consumes the state: it is changed and returned. */
function evolveWebhookEndpoints(state: WebhookEndpointsState, event: WebhookEndpointsEvent): WebhookEndpointsState {
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

/** Endpoints an account may have at once (docs/rules.md#webhook-endpoints). */
export const MAX_WEBHOOK_ENDPOINTS = 100;

export type WebhookEndpointsRejectionCode = "endpoint_not_found" | "too_many_endpoints";

/** The endpoints of one account, in one stream, so that one decision limits their number. */
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
