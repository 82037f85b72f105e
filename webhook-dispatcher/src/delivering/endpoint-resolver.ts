import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { UnsealFailed } from "@travel-booking/runtime";
import type { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { type HostnameTarget, parseTarget, type TargetCheck } from "@travel-booking/webhooks/targets";
import { type SigningKeys, signingKeys } from "../sending/sign.ts";
import { setBounded } from "../set-bounded.ts";

/** Real time: a secret that is given to an endpoint anew is used after so long. */
const KEYS_TTL_MS = 30_000;

/** Who events are sent to. */
export interface ResolvedEndpoint {
  readonly endpointId: string;
  readonly target: TargetCheck | HostnameTarget;
  /** Undefined: its secret is lost, or was stored under another secret key, so nothing can be signed. */
  readonly keys: SigningKeys | undefined;
}

export interface EndpointResolverOptions {
  readonly models: ReadModels;
  readonly secrets: Pick<WebhookSecrets, "get">;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`. */
  readonly allowPrivate: boolean;
}

interface CachedEndpoint {
  /** The endpoint as it was stored, byte for byte. */
  readonly json: Uint8Array;
  readonly receiver: ResolvedEndpoint;
  readonly expiresAt: number;
}

/** Looks endpoints up. What was made of one is kept for a while, its keys above all: making them is dear. */
export class EndpointResolver {
  readonly #options: EndpointResolverOptions;
  readonly #cache = new Map<string, CachedEndpoint>();

  constructor(options: EndpointResolverOptions) {
    this.#options = options;
  }

  /** Undefined: the account has no such endpoint, or not any more. */
  async find(accountId: string, endpointId: string): Promise<ResolvedEndpoint | undefined> {
    const body = await this.#options.models.body(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
    if (body === undefined) return undefined;
    const kept = this.#cache.get(endpointId);
    if (kept !== undefined && performance.now() < kept.expiresAt && Buffer.compare(kept.json, body.json) === 0)
      return kept.receiver;
    const { url } = parseBody<WebhookEndpointBody>(body);
    const keys = await this.#readKeysOf(endpointId);
    const receiver = { endpointId, target: parseTarget(url, this.#options), keys };
    if (keys !== undefined)
      setBounded(this.#cache, endpointId, { json: body.json, receiver, expiresAt: performance.now() + KEYS_TTL_MS });
    return receiver;
  }

  async #readKeysOf(endpointId: string): Promise<SigningKeys | undefined> {
    try {
      const secret = await this.#options.secrets.get(endpointId);
      return secret === undefined ? undefined : signingKeys(secret);
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }
}
