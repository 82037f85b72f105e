import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { UnsealFailed } from "@travel-booking/runtime";
import type { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { type HostnameTarget, parseTarget, type TargetCheck } from "@travel-booking/webhooks/targets";
import { LRUCache } from "lru-cache";
import { type SigningKeys, signingKeys } from "./sign.ts";

/** Real time after which a changed secret is in use. */
const KEYS_TTL_MS = 30_000;
const MAX_CACHED_ENDPOINTS = 10_000;

/** An endpoint, ready to be sent to. */
export interface ResolvedEndpoint {
  readonly endpointId: string;
  readonly target: TargetCheck | HostnameTarget;
  /** Undefined: the secret is lost, or was stored under another secret key, so nothing can be signed. */
  readonly keys: SigningKeys | undefined;
}

interface EndpointResolverOptions {
  readonly models: ReadModels;
  readonly secrets: Pick<WebhookSecrets, "get">;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`. */
  readonly allowPrivate: boolean;
}

interface CachedEndpoint {
  /** The document it was made of. */
  readonly json: string;
  readonly endpoint: ResolvedEndpoint;
}

/** Looks endpoints up. Caches them with their keys, which are expensive to make. */
export class EndpointResolver {
  readonly #options: EndpointResolverOptions;
  readonly #cache = new LRUCache<string, CachedEndpoint>({ max: MAX_CACHED_ENDPOINTS, ttl: KEYS_TTL_MS });

  constructor(options: EndpointResolverOptions) {
    this.#options = options;
  }

  /** Undefined: the account has no such endpoint. */
  async find(accountId: string, endpointId: string): Promise<ResolvedEndpoint | undefined> {
    const body = await this.#options.models.body(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
    if (body === undefined) return undefined;
    const cached = this.#cache.get(endpointId);
    if (cached !== undefined && cached.json === body.json) return cached.endpoint;
    const { url } = parseBody<WebhookEndpointBody>(body);
    const keys = await this.#readKeys(endpointId);
    const endpoint = { endpointId, target: parseTarget(url, this.#options), keys };
    if (keys !== undefined) this.#cache.set(endpointId, { json: body.json, endpoint });
    return endpoint;
  }

  async #readKeys(endpointId: string): Promise<SigningKeys | undefined> {
    try {
      const secret = await this.#options.secrets.get(endpointId);
      return secret === undefined ? undefined : signingKeys(secret);
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }
}
