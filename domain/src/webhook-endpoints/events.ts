import type { DomainEvent } from "../shared/decision.ts";

/** The signing secret is in no event: it stands in a place of its own, encrypted. */
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
