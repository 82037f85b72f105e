import { signingSecrets } from "@travel-booking/domain";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { UnsealFailed } from "@travel-booking/runtime";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "../dispatcher-options.ts";
import type { SigningSecrets } from "./sign.ts";

/** Real time after which a changed secret is in use. */
const SECRETS_TTL_MS = 30_000;
const MAX_CACHED = 10_000;

/** An endpoint with everything that a delivery needs. */
export interface ResolvedEndpoint {
  readonly endpointId: string;
  readonly url: string;
  /** Undefined: the secret is lost, or was stored under another secret key. So nothing is signed or sent. */
  readonly secrets: SigningSecrets | undefined;
}

type EndpointResolverOptions = Pick<DispatcherContext, "models" | "secrets" | "clock">;

/** Looks endpoints up. Caches their secrets, which are expensive to unseal. */
export class EndpointResolver {
  readonly #options: EndpointResolverOptions;
  /** By the ids of the secrets in use. */
  readonly #cache = new LRUCache<string, SigningSecrets>({ max: MAX_CACHED, ttl: SECRETS_TTL_MS });

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
    const secrets = this.#cache.get(secretIds.join()) ?? (await this.#readSecrets(secretIds));
    return { endpointId, url: registration.url, secrets };
  }

  async #readSecrets(ids: readonly string[]): Promise<SigningSecrets | undefined> {
    const { secrets } = this.#options;
    const [currentId = "", previousId] = ids;
    try {
      const current = await secrets.get(currentId);
      const previous = previousId === undefined ? undefined : await secrets.get(previousId);
      if (current === undefined) return undefined;
      const found: SigningSecrets = previous === undefined ? [current] : [current, previous];
      this.#cache.set(ids.join(), found);
      return found;
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }
}
