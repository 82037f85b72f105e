import type { DomainEvent, Instant } from "../shared/decision.ts";

/** The signing secret is in no event. It is stored encrypted, elsewhere. */
export type WebhookEndpointRegistered = DomainEvent<
  "WebhookEndpointRegistered",
  {
    readonly endpointId: string;
    readonly accountId: string;
    readonly url: string;
    readonly events: readonly string[];
    /** Absent: none. */
    readonly headers?: ReceiverHeaders;
    /** Absent: there is no limit. */
    readonly maxPerSecond?: number;
  }
>;

/** Headers of the receiver's own, which every delivery has. Their values are stored encrypted, elsewhere, under the id. */
export interface ReceiverHeaders {
  readonly headersId: string;
  /** As they were sent, at least one. */
  readonly names: readonly string[];
}

/** Null: none any more. */
export interface EndpointChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly headers?: ReceiverHeaders | null;
  readonly maxPerSecond?: number | null;
}

/** Has what differs from before. */
export type WebhookEndpointChanged = DomainEvent<
  "WebhookEndpointChanged",
  { readonly endpointId: string; readonly accountId: string } & EndpointChanges
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

/** Whether an endpoint accepted its deliveries at a moment. */
export interface RecordedHealth {
  readonly endpointId: string;
  readonly accountId: string;
  readonly status: "active" | "failing" | "paused";
  /** For people; null while it is active. */
  readonly reason: string | null;
  /** When this status began. */
  readonly since: Instant;
}

/** Once for each failure (docs/rules.md#events-about-endpoints). */
export type WebhookEndpointFailing = DomainEvent<"WebhookEndpointFailing", RecordedHealth>;

/** Ends the failure that was recorded last. */
export type WebhookEndpointRecovered = DomainEvent<"WebhookEndpointRecovered", RecordedHealth>;

export type WebhookEndpointsEvent =
  | WebhookEndpointRegistered
  | WebhookEndpointChanged
  | WebhookEndpointDeleted
  | WebhookSecretRotated
  | WebhookEndpointFailing
  | WebhookEndpointRecovered;
