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

export type WebhookEndpointsCommand = RegisterWebhookEndpoint | DeleteWebhookEndpoint;
