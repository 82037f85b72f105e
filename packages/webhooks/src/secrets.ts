import { randomBytes } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { deriveKey, TextSealer } from "@travel-booking/runtime";

const SPACE = "webhook-secrets";
/** As in the Standard Webhooks specification. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/**
 * The random secrets that sign deliveries. They are stored encrypted under the service's secret key, and appear in no
 * event of the log and no read model.
 */
export class WebhookSecrets {
  readonly #store: Pick<StateStore, "create" | "put" | "get" | "remove">;
  readonly #sealer: TextSealer;

  constructor(store: Pick<StateStore, "create" | "put" | "get" | "remove">, secretKey: string) {
    this.#store = store;
    this.#sealer = new TextSealer(deriveKey(secretKey, "webhook-secrets"));
  }

  /** The secret of an endpoint. Creates one if it has none; durable when it resolves. */
  async getOrCreate(endpointId: string): Promise<string> {
    const fresh = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
    const { created, record } = await this.#store.create(SPACE, endpointId, this.#sealer.seal(fresh, endpointId));
    return created ? fresh : this.#sealer.unseal(record.value, endpointId);
  }

  /** Replaces the secret of an endpoint. Durable when it resolves. */
  async put(endpointId: string, secret: string): Promise<void> {
    await this.#store.put(SPACE, endpointId, this.#sealer.seal(secret, endpointId));
  }

  /**
   * Undefined if the endpoint does not exist.
   * @throws UnsealFailed it was stored under another secret key.
   */
  async get(endpointId: string): Promise<string | undefined> {
    const record = await this.#store.get<string>(SPACE, endpointId);
    return record === undefined ? undefined : this.#sealer.unseal(record.value, endpointId);
  }

  async remove(endpointId: string): Promise<void> {
    await this.#store.remove(SPACE, endpointId);
  }
}
