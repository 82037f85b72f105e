import { randomBytes } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { deriveKeys, type SecretKey, TextSealer } from "@travel-booking/runtime";

const SPACE = "webhook-secrets";
export const SEALED_SECRETS = { space: SPACE, purpose: SPACE, field: null } as const;
/** The prefix of the Standard Webhooks specification. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/**
 * The random secrets that sign deliveries, and the receivers' own headers. They are stored encrypted under the service's
 * secret key, and appear in no event of the log and no read model. The first secret of an endpoint has the id of the endpoint.
 */
export class WebhookSecrets {
  readonly #store: Pick<StateStore, "create" | "put" | "get" | "list" | "remove" | "removeIfVersion">;
  readonly #sealer: TextSealer;

  constructor(
    store: Pick<StateStore, "create" | "put" | "get" | "list" | "remove" | "removeIfVersion">,
    secretKey: SecretKey,
  ) {
    this.#store = store;
    this.#sealer = new TextSealer(deriveKeys(secretKey, SEALED_SECRETS.purpose));
  }

  /** The secret with this id. Creates it if there is none; durable when it resolves. */
  async getOrCreate(secretId: string): Promise<string> {
    const fresh = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
    const { created, record } = await this.#store.create(SPACE, secretId, this.#sealer.seal(fresh, secretId));
    return created ? fresh : this.#sealer.unseal(record.value, secretId);
  }

  /** Replaces a secret. Durable when it resolves. */
  async put(secretId: string, secret: string): Promise<void> {
    await this.#store.put(SPACE, secretId, this.#sealer.seal(secret, secretId));
  }

  /**
   * Undefined if there is none.
   * @throws UnsealFailed the secret was stored under another secret key.
   */
  async get(secretId: string): Promise<string | undefined> {
    const record = await this.#store.get<string>(SPACE, secretId);
    return record === undefined ? undefined : this.#sealer.unseal(record.value, secretId);
  }

  async remove(secretId: string): Promise<void> {
    await this.#store.remove(SPACE, secretId);
  }

  /** Removes headers of an endpoint, except those in force, which are asked for after all are listed, and those put since. */
  async removeFormerHeaders(endpointId: string, idInForce: () => Promise<string | undefined>): Promise<void> {
    const listed = await Array.fromAsync(scanPrefix(this.#store, SPACE, `${endpointId}/`));
    const inForce = await idInForce();
    for (const { key, version } of listed) {
      if (key === inForce || !key.startsWith(`${endpointId}/headers`)) continue;
      await this.#store.removeIfVersion(SPACE, key, version);
    }
  }

  /** Removes everything of an endpoint: every id but that of the first secret begins with it and a slash. */
  async removeAll(endpointId: string): Promise<void> {
    await this.remove(endpointId);
    for await (const { key } of scanPrefix(this.#store, SPACE, `${endpointId}/`)) await this.remove(key);
  }
}
