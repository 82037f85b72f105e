import { signingSecrets } from "@travel-booking/domain";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { UnsealFailed } from "@travel-booking/runtime";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "../dispatcher-options.ts";
import type { SigningSecrets } from "./sign.ts";

/** Real time for which a secret that was removed is still used. */
const SECRETS_TTL_MS = 30_000;
const MAX_CACHED = 10_000;

/** An endpoint with everything that a delivery needs. */
export interface ResolvedEndpoint {
  readonly endpointId: string;
  readonly url: string;
  /** Undefined: one is lost, or was stored under another secret key, or the headers were. So nothing is signed or sent. */
  readonly secrets: SigningSecrets | undefined;
  /** The receiver's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: there is no limit. */
  readonly maxPerSecond: number | undefined;
}

type EndpointResolverOptions = Pick<DispatcherContext, "models" | "secrets" | "clock">;

/** Looks endpoints up. Caches their secrets and headers, which are expensive to unseal. */
export class EndpointResolver {
  readonly #options: EndpointResolverOptions;
  readonly #unsealed = new LRUCache<string, string>({ max: MAX_CACHED, ttl: SECRETS_TTL_MS });

  constructor(options: EndpointResolverOptions) {
    this.#options = options;
  }

  /**
   * Undefined: the account has no such endpoint.
   * @throws Error its headers were replaced, and the read models don't show that yet.
   */
  async find(accountId: string, endpointId: string): Promise<ResolvedEndpoint | undefined> {
    const { models, clock } = this.#options;
    const document = await models.document(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
    if (document === undefined) return undefined;
    const registration = document.state as EndpointRegistration;
    const { url, headers, maxPerSecond } = registration;
    const endpoint = { endpointId, url, maxPerSecond };
    try {
      const [currentId = "", previousId] = signingSecrets(registration, clock.now());
      const current = await this.#read(currentId);
      const previous = previousId === undefined ? undefined : await this.#read(previousId);
      const own = headers === undefined ? "{}" : await this.#read(headers.headersId);
      if (own === undefined) throw new Error("the headers of a webhook endpoint were replaced");
      const older = previous === undefined ? [] : [previous];
      const secrets: SigningSecrets | undefined = current === undefined ? undefined : [current, ...older];
      return { ...endpoint, secrets, headers: JSON.parse(own) };
    } catch (error) {
      if (error instanceof UnsealFailed) return { ...endpoint, secrets: undefined, headers: {} };
      throw error;
    }
  }

  async #read(id: string): Promise<string | undefined> {
    const known = this.#unsealed.get(id);
    if (known !== undefined) return known;
    const read = await this.#options.secrets.get(id);
    if (read !== undefined) this.#unsealed.set(id, read);
    return read;
  }
}
