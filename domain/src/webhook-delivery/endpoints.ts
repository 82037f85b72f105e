import { subscribedTypes } from "../public-events.ts";
import {
  accept,
  assertNever,
  type Command,
  type Decider,
  type Decision,
  type DomainEvent,
  type Handlers,
  handle,
  type Instant,
  reject,
} from "../shared/decision.ts";
import { HOUR } from "../shared/time.ts";

/** The signing secret is in no event. It is stored encrypted, elsewhere. */
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

/** Only the ids of secrets are in events. */
export type WebhookSecretRotated = DomainEvent<
  "WebhookSecretRotated",
  {
    readonly endpointId: string;
    readonly accountId: string;
    readonly secretId: string;
    /** Until then the previous secret signs, too. */
    readonly previousExpiresAt: Instant;
  }
>;

export type WebhookEndpointsEvent = WebhookEndpointRegistered | WebhookEndpointDeleted | WebhookSecretRotated;

/** `events`: the types of events that the endpoint is to get; `*` stands for the usual ones. */
export type RegisterWebhookEndpoint = Command<"RegisterWebhookEndpoint", WebhookEndpointRegistered["data"]>;

type DeleteWebhookEndpoint = Command<"DeleteWebhookEndpoint", Pick<WebhookEndpointDeleted["data"], "endpointId">>;

/** Makes the secret `secretId` sign (docs/rules.md#rotating-a-secret). */
export type RotateWebhookSecret = Command<
  "RotateWebhookSecret",
  Pick<WebhookSecretRotated["data"], "endpointId" | "secretId"> & { readonly expirePreviousNow: boolean }
>;

type WebhookEndpointsCommand = RegisterWebhookEndpoint | DeleteWebhookEndpoint | RotateWebhookSecret;

type Registered = WebhookEndpointRegistered["data"];
export interface WebhookEndpoint extends Registered {
  readonly registeredAt: Instant;
  /** The last rotation; absent: the endpoint still has its first secret, whose id is the endpoint's. */
  readonly rotation?: SecretRotation;
}

export interface SecretRotation {
  readonly secretId: string;
  readonly previousSecretId: string;
  readonly previousExpiresAt: Instant;
}

/** How long both secrets sign (docs/rules.md#rotating-a-secret). */
export const SECRET_OVERLAP = 24 * HOUR;

/** The ids of the secrets that sign at a moment, newest first. */
export function signingSecrets(
  { endpointId, rotation }: Pick<WebhookEndpoint, "endpointId" | "rotation">,
  at: Instant,
): readonly string[] {
  if (rotation === undefined) return [endpointId];
  const { secretId, previousSecretId, previousExpiresAt } = rotation;
  return at < previousExpiresAt ? [secretId, previousSecretId] : [secretId];
}

/** The present endpoints of an account, by their ids. */
type WebhookEndpointsState = Map<string, WebhookEndpoint>;

/** The rotation of an endpoint after this one. */
export function rotationAfter(
  { endpointId, rotation }: Pick<WebhookEndpoint, "endpointId" | "rotation">,
  { data: { secretId, previousExpiresAt } }: WebhookSecretRotated,
): SecretRotation {
  return { secretId, previousSecretId: rotation?.secretId ?? endpointId, previousExpiresAt };
}

/** Folds one event in. Consumes the state: it is changed and returned. */
function evolveWebhookEndpoints(state: WebhookEndpointsState, event: WebhookEndpointsEvent): WebhookEndpointsState {
  switch (event.type) {
    case "WebhookEndpointRegistered":
      state.set(event.data.endpointId, { ...event.data, registeredAt: event.at });
      return state;
    case "WebhookEndpointDeleted":
      state.delete(event.data.endpointId);
      return state;
    case "WebhookSecretRotated": {
      const endpoint = state.get(event.data.endpointId);
      if (endpoint !== undefined)
        state.set(endpoint.endpointId, { ...endpoint, rotation: rotationAfter(endpoint, event) });
      return state;
    }
    default:
      return assertNever(event);
  }
}

/** Endpoints an account may have at once (docs/rules.md#webhook-endpoints). */
export const MAX_WEBHOOK_ENDPOINTS = 100;

export type WebhookEndpointsRejectionCode = "endpoint_not_found" | "too_many_endpoints" | "secret_just_rotated";

type WebhookEndpointsDecision = Decision<WebhookEndpointsEvent, WebhookEndpointsRejectionCode>;

const HANDLERS: Handlers<
  WebhookEndpointsCommand,
  [state: WebhookEndpointsState, at: Instant],
  WebhookEndpointsDecision
> = {
  RegisterWebhookEndpoint({ type: _, ...data }, state, at) {
    if (state.has(data.endpointId)) return accept();
    if (state.size >= MAX_WEBHOOK_ENDPOINTS) return reject("too_many_endpoints", { most: MAX_WEBHOOK_ENDPOINTS });
    const events = subscribedTypes(data.events);
    return accept({ type: "WebhookEndpointRegistered", at, data: { ...data, events } });
  },

  DeleteWebhookEndpoint({ endpointId }, state, at) {
    const endpoint = state.get(endpointId);
    if (endpoint === undefined) return reject("endpoint_not_found");
    const { accountId } = endpoint;
    return accept({ type: "WebhookEndpointDeleted", at, data: { endpointId, accountId } });
  },

  RotateWebhookSecret({ endpointId, secretId, expirePreviousNow }, state, at) {
    const endpoint = state.get(endpointId);
    if (endpoint === undefined) return reject("endpoint_not_found");
    const { accountId, rotation } = endpoint;
    if (rotation?.secretId === secretId || rotation?.previousSecretId === secretId) return accept();
    const [, previous] = signingSecrets(endpoint, at);
    if (previous !== undefined && !expirePreviousNow) {
      return reject("secret_just_rotated", { until: rotation?.previousExpiresAt ?? at });
    }
    const previousExpiresAt = expirePreviousNow ? at : at + SECRET_OVERLAP;
    return accept({ type: "WebhookSecretRotated", at, data: { endpointId, accountId, secretId, previousExpiresAt } });
  },
};

/** The endpoints of one account, in one stream, so that one decision limits their number. */
export const webhookEndpointsDecider: Decider<
  WebhookEndpointsCommand,
  WebhookEndpointsState,
  WebhookEndpointsEvent,
  WebhookEndpointsRejectionCode
> = {
  initialState: () => new Map(),
  decide: (command, state, at) => handle(HANDLERS, command, state, at),
  evolve: evolveWebhookEndpoints,
  copy: (state) => new Map(state),
  snapshotVersion: 1,
};
