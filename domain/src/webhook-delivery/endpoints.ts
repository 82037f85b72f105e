import { subscribedTypes } from "../public-events.ts";
import {
  accept,
  assertNever,
  type Command,
  type Decider,
  type Decision,
  type Handlers,
  handle,
  type Instant,
  reject,
} from "../shared/decision.ts";
import { HOUR, MINUTE } from "../shared/time.ts";
import type {
  EndpointChanges,
  WebhookEndpointChanged,
  WebhookEndpointDeleted,
  WebhookEndpointRegistered,
  WebhookEndpointsEvent,
  WebhookSecretRotated,
} from "./endpoint-events.ts";
import type { EndpointHealth } from "./health.ts";

/** `events`: the types of events that the endpoint is to get; `*` stands for the usual ones. */
export type RegisterWebhookEndpoint = Command<"RegisterWebhookEndpoint", WebhookEndpointRegistered["data"]>;

type ChangesAsked = { readonly [Field in keyof EndpointChanges]: EndpointChanges[Field] | undefined };

/** Absent fields stay. `events` as at the registration. A URL of another origin drops headers that are not sent along. */
export type ChangeWebhookEndpoint = Command<"ChangeWebhookEndpoint", { readonly endpointId: string } & ChangesAsked>;

type DeleteWebhookEndpoint = Command<"DeleteWebhookEndpoint", Pick<WebhookEndpointDeleted["data"], "endpointId">>;

/** Makes the secret `secretId` sign (docs/rules.md#rotating-a-secret). */
export type RotateWebhookSecret = Command<
  "RotateWebhookSecret",
  Pick<WebhookSecretRotated["data"], "endpointId" | "secretId"> & { readonly expirePreviousNow: boolean }
>;

/** Tells how the deliveries to an endpoint stand, as often as one likes. */
export type RecordEndpointHealth = Command<
  "RecordEndpointHealth",
  { readonly endpointId: string; readonly health: EndpointHealth }
>;

type WebhookEndpointsCommand =
  | RegisterWebhookEndpoint
  | ChangeWebhookEndpoint
  | DeleteWebhookEndpoint
  | RotateWebhookSecret
  | RecordEndpointHealth;

type Registered = WebhookEndpointRegistered["data"];
export interface WebhookEndpoint extends Registered {
  readonly registeredAt: Instant;
  /** The last rotation; absent: the endpoint still has its first secret, whose id is the endpoint's. */
  readonly rotation?: SecretRotation;
  /** Whether a failure is recorded that has not ended; absent: none ever was. */
  readonly isFailing?: boolean;
  /** When the end of a failure was recorded last. */
  readonly recoveredAt?: Instant;
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

/** The endpoint after a change. */
export function endpointAfter<Endpoint extends Pick<WebhookEndpoint, keyof EndpointChanges>>(
  endpoint: Endpoint,
  { data: { endpointId: _, accountId: __, ...changes } }: Pick<WebhookEndpointChanged, "data">,
): Endpoint {
  const fields = Object.entries({ ...endpoint, ...changes });
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as Endpoint;
}

/** A failure so soon after a recovery is recorded once it has lasted as long (docs/rules.md#events-about-endpoints). */
const FLAPPING = MINUTE;

/** Whether its health is to be recorded. */
function isNews(
  { isFailing = false, recoveredAt = Number.NEGATIVE_INFINITY }: WebhookEndpoint,
  { status, failingSince }: EndpointHealth,
  at: Instant,
): boolean {
  if (isFailing === (status !== "active")) return false;
  const failedAt = failingSince ?? at;
  return status === "active" || failedAt >= recoveredAt + FLAPPING || at >= failedAt + FLAPPING;
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
    case "WebhookEndpointChanged": {
      const endpoint = state.get(event.data.endpointId);
      if (endpoint !== undefined) state.set(endpoint.endpointId, endpointAfter(endpoint, event));
      return state;
    }
    case "WebhookEndpointDeleted":
      state.delete(event.data.endpointId);
      return state;
    case "WebhookSecretRotated": {
      const endpoint = state.get(event.data.endpointId);
      if (endpoint !== undefined)
        state.set(endpoint.endpointId, { ...endpoint, rotation: rotationAfter(endpoint, event) });
      return state;
    }
    case "WebhookEndpointFailing":
    case "WebhookEndpointRecovered": {
      const endpoint = state.get(event.data.endpointId);
      const isFailing = event.type === "WebhookEndpointFailing";
      const told = isFailing ? { isFailing } : { isFailing, recoveredAt: event.at };
      if (endpoint !== undefined) state.set(endpoint.endpointId, { ...endpoint, ...told });
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

  ChangeWebhookEndpoint({ endpointId, url, events, headers, maxPerSecond }, state, at) {
    const endpoint = state.get(endpointId);
    if (endpoint === undefined) return reject("endpoint_not_found");
    const isElsewhere = url !== undefined && new URL(url).origin !== new URL(endpoint.url).origin;
    const wanted: ChangesAsked = {
      url,
      events: events && subscribedTypes(events),
      // Nobody reads headers that are meant for others.
      headers: isElsewhere ? (headers ?? null) : headers,
      maxPerSecond,
    };
    const differs = ([field, value]: [string, unknown]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(endpoint[field as keyof EndpointChanges] ?? null);
    const changes: EndpointChanges = Object.fromEntries(Object.entries(wanted).filter(differs));
    if (Object.keys(changes).length === 0) return accept();
    const { accountId } = endpoint;
    return accept({ type: "WebhookEndpointChanged", at, data: { endpointId, accountId, ...changes } });
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

  RecordEndpointHealth({ endpointId, health }, state, at) {
    const endpoint = state.get(endpointId);
    if (endpoint === undefined || !isNews(endpoint, health, at)) return accept();
    const { status, reason } = health;
    const type = status === "active" ? "WebhookEndpointRecovered" : "WebhookEndpointFailing";
    const { accountId } = endpoint;
    return accept({ type, at, data: { endpointId, accountId, status, reason, since: health.since ?? at } });
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
