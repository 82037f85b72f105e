import type { Api } from "../api.ts";
import { FollowedEvents, type FollowOptions } from "../follow.ts";
import type {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  Event,
  EventType,
  ReplayWebhookEndpoint,
  RotatedWebhookSecret,
  RotateWebhookSecret,
  TestWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointStatus,
  WebhookEndpointWithSecret,
} from "../generated.ts";
import type { Listing } from "../listing.ts";
import type { CallOptions, CommandOptions } from "../transport.ts";
import type { QueryOf } from "../types.ts";

export interface EventQuery extends Omit<QueryOf<"get", "/v1/events">, "type"> {
  /** By default the usual types, those of bookings and payments. */
  type?: EventType | readonly EventType[];
}

export class Events {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first, unless `order` or `after` says otherwise. */
  list({ type, ...others }: EventQuery = {}, options?: CallOptions): Listing<Event> {
    const query = { ...others, ...(type !== undefined && { type: [type].flat() }) };
    return this.#api.list("/v1/events", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<Event> {
    return this.#api.call("get", "/v1/events/{id}", { ids: { id } }, options);
  }

  /** Events as they come, across disconnections and restarts of the service. */
  follow(options: FollowOptions = {}): FollowedEvents {
    return new FollowedEvents(this.#api, options);
  }
}

export class WebhookEndpoints {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The answer has the secret, this once. */
  create(body: CreateWebhookEndpoint, options?: CommandOptions): Promise<WebhookEndpointWithSecret> {
    return this.#api.call("post", "/v1/webhook-endpoints", { body }, options);
  }

  /** All of them, newest first. */
  async list(options?: CallOptions): Promise<WebhookEndpoint[]> {
    return (await this.#api.call("get", "/v1/webhook-endpoints", {}, options)).data;
  }

  retrieve(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#api.call("get", "/v1/webhook-endpoints/{id}", { ids: { id } }, options);
  }

  /** Fields that are left out stay. */
  update(id: string, body: ChangeWebhookEndpoint, options?: CommandOptions): Promise<WebhookEndpoint> {
    return this.#api.call("patch", "/v1/webhook-endpoints/{id}", { ids: { id }, body }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#api.call("delete", "/v1/webhook-endpoints/{id}", { ids: { id } }, options);
  }

  /** Sends a sample event at once. */
  test(id: string, body: TestWebhookEndpoint, options?: CommandOptions): Promise<WebhookDelivery> {
    return this.#api.call("post", "/v1/webhook-endpoints/{id}/test", { ids: { id }, body }, options);
  }

  /** The attempts, newest first. */
  deliveries(
    id: string,
    query?: QueryOf<"get", "/v1/webhook-endpoints/{id}/deliveries">,
    options?: CallOptions,
  ): Listing<WebhookDelivery> {
    return this.#api.list("/v1/webhook-endpoints/{id}/deliveries", { ids: { id }, query }, options);
  }

  status(id: string, options?: CallOptions): Promise<WebhookEndpointStatus> {
    return this.#api.call("get", "/v1/webhook-endpoints/{id}/status", { ids: { id } }, options);
  }

  resume(id: string, options?: CommandOptions): Promise<WebhookEndpointStatus> {
    return this.#api.call("post", "/v1/webhook-endpoints/{id}/resume", { ids: { id } }, options);
  }

  /** The answer has the new secret, this once; give `verifyWebhook` both until `previousSecretExpiresAt`. */
  rotateSecret(id: string, body: RotateWebhookSecret = {}, options?: CommandOptions): Promise<RotatedWebhookSecret> {
    return this.#api.call("post", "/v1/webhook-endpoints/{id}/rotate-secret", { ids: { id }, body }, options);
  }

  /** Delivers the events since a moment once more. */
  replay(id: string, body: ReplayWebhookEndpoint, options?: CommandOptions): Promise<void> {
    return this.#api.call("post", "/v1/webhook-endpoints/{id}/replay", { ids: { id }, body }, options);
  }
}
