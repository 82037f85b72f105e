import { randomBytes } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { deriveKey, TextSealer } from "@travel-booking/runtime";

const SPACE = "webhook-secrets";
/** The form of the Standard Webhooks specification. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/**
 * What deliveries to webhook endpoints are signed with: made at random, stored sealed under the service's secret key,
 * in no event of the log and in no read model.
 */
export class WebhookSecrets {
  readonly #store: Pick<StateStore, "create" | "put" | "get" | "remove">;
  readonly #sealed: TextSealer;

  constructor(store: Pick<StateStore, "create" | "put" | "get" | "remove">, secretKey: string) {
    this.#store = store;
    this.#sealed = new TextSealer(deriveKey(secretKey, "webhook-secrets"));
  }

  /** The secret of an endpoint; made, and durable when this resolves, where it has none yet. */
  async getOrCreate(endpointId: string): Promise<string> {
    const fresh = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
    const { created, record } = await this.#store.create(SPACE, endpointId, this.#sealed.seal(fresh, endpointId));
    return created ? fresh : this.#sealed.unseal(record.value, endpointId);
  }

  /** Gives an endpoint this secret in the place of any it has. Durable when it resolves. */
  async put(endpointId: string, secret: string): Promise<void> {
    await this.#store.put(SPACE, endpointId, this.#sealed.seal(secret, endpointId));
  }

  /**
   * Undefined: the endpoint has none, because it is not there or not any more.
   * @throws NotUnsealed it was stored under another secret key.
   */
  async get(endpointId: string): Promise<string | undefined> {
    const record = await this.#store.get<string>(SPACE, endpointId);
    return record === undefined ? undefined : this.#sealed.unseal(record.value, endpointId);
  }

  async remove(endpointId: string): Promise<void> {
    await this.#store.remove(SPACE, endpointId);
  }
}
