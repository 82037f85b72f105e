import { signingSecrets } from "@travel-booking/domain";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { UnsealFailed } from "@travel-booking/runtime";
import { type HostnameTarget, parseTarget, type TargetCheck } from "@travel-booking/webhooks/targets";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "../dispatcher-options.ts";
import type { SigningSecrets } from "./sign.ts";

/** Real time after which a changed secret is in use. */
const SECRETS_TTL_MS = 30_000;
const MAX_CACHED_ENDPOINTS = 10_000;

/** An endpoint, ready to be sent to. */
export interface ResolvedEndpoint {
  readonly endpointId: string;
  readonly target: TargetCheck | HostnameTarget;
  /** Undefined: the secret is lost, or was stored under another secret key, so nothing is signed and nothing sent. */
  readonly secrets: SigningSecrets | undefined;
}

type EndpointResolverOptions = Pick<DispatcherContext, "models" | "secrets" | "clock" | "targets">;

/** Looks endpoints up. Caches them with their secrets, which are expensive to unseal. */
export class EndpointResolver {
  readonly #options: EndpointResolverOptions;
  readonly #cache = new LRUCache<string, ResolvedEndpoint>({ max: MAX_CACHED_ENDPOINTS, ttl: SECRETS_TTL_MS });

  constructor(options: EndpointResolverOptions) {
    this.#options = options;
  }

  /** Undefined: the account has no such endpoint. */
  async find(accountId: string, endpointId: string): Promise<ResolvedEndpoint | undefined> {
    const { models, clock } = this.#options;
    const document = await models.document(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
    if (document === undefined) return undefined;
    const registration = document.state as EndpointRegistration;
    const secretIds = signingSecrets(registration, clock.now());
    // Another version of the endpoint, or other secrets in use, are another entry.
    const entry = [endpointId, document.position, ...secretIds].join();
    const cached = this.#cache.get(entry);
    if (cached !== undefined) return cached;
    const secrets = await this.#readSecrets(secretIds);
    const endpoint = { endpointId, target: parseTarget(registration.url, this.#options.targets), secrets };
    if (secrets !== undefined) this.#cache.set(entry, endpoint);
    return endpoint;
  }

  async #readSecrets([currentId = "", previousId]: readonly string[]): Promise<SigningSecrets | undefined> {
    const { secrets } = this.#options;
    try {
      const current = await secrets.get(currentId);
      const previous = previousId === undefined ? undefined : await secrets.get(previousId);
      if (current === undefined) return undefined;
      return previous === undefined ? [current] : [current, previous];
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }
}
