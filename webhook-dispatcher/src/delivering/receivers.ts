import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { parseBody, type ReadModels } from "@travel-booking/read-store";
import { NotUnsealed } from "@travel-booking/runtime";
import type { WebhookSecrets } from "@travel-booking/webhook-secrets";
import { type SigningKeys, signingKeys } from "../sending/sign.ts";

/** Real time: a secret that is given to an endpoint anew is used after so long. */
const KEYS_KEPT_MS = 30_000;
const MOST_KEPT = 10_000;

/** Who events are sent to. */
export interface Receiver {
  readonly endpointId: string;
  readonly url: string;
  /** Undefined: its secret is lost, or was stored under another secret key, so nothing can be signed. */
  readonly keys: SigningKeys | undefined;
}

/** Looks endpoints up. Their keys are kept for a while: making them is dear. */
export class Receivers {
  readonly #models: ReadModels;
  readonly #secrets: Pick<WebhookSecrets, "get">;
  readonly #kept = new Map<string, { readonly keys: SigningKeys; readonly until: number }>();

  constructor(models: ReadModels, secrets: Pick<WebhookSecrets, "get">) {
    this.#models = models;
    this.#secrets = secrets;
  }

  /** Undefined: the account has no such endpoint, or not any more. */
  async find(accountId: string, endpointId: string): Promise<Receiver | undefined> {
    const body = await this.#models.body(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
    if (body === undefined) return undefined;
    const { url } = parseBody<WebhookEndpointBody>(body);
    return { endpointId, url, keys: await this.#keysOf(endpointId) };
  }

  async #keysOf(endpointId: string): Promise<SigningKeys | undefined> {
    const kept = this.#kept.get(endpointId);
    if (kept !== undefined && performance.now() < kept.until) return kept.keys;
    const keys = await this.#readKeysOf(endpointId);
    if (keys === undefined) return undefined;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(endpointId, { keys, until: performance.now() + KEYS_KEPT_MS });
    return keys;
  }

  async #readKeysOf(endpointId: string): Promise<SigningKeys | undefined> {
    try {
      const secret = await this.#secrets.get(endpointId);
      return secret === undefined ? undefined : signingKeys(secret);
    } catch (error) {
      if (error instanceof NotUnsealed) return undefined;
      throw error;
    }
  }
}
