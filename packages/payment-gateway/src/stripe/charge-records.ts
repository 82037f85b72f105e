import { type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { deriveKeys, TextSealer, UnsealFailed } from "@travel-booking/runtime";
import { type ChargeEnding, type GatewayContext, GatewayTimeout, SEALED_TOKENS } from "../port.ts";

export interface Ended {
  readonly ending: ChargeEnding;
  /** Null if no intent was made, or none is known. */
  readonly intentId: string | null;
}

/** The record of a payment id, with everything needed to ask Stripe for it again. */
export interface ChargeRecord {
  /** Real time shortly before Stripe was first asked. */
  readonly since: number;
  readonly currency: string;
  /** Sealed. Null if the id was barred before any charge, or the charge has ended. */
  readonly token: string | null;
  /** Stripe's customer for whom the card is kept. */
  readonly customer: string | null;
  /** Real time when Stripe was first found to know no such charge; null if it was not, or was asked again since. */
  readonly missedAt: number | null;
  readonly ended: Ended | null;
}

const SPACE = SEALED_TOKENS.space;

/** The adapter's memory, shared by all instances. It is written before Stripe is asked, and kept for refunds. */
export class ChargeRecords {
  readonly #state: StateStore;
  readonly #sealer: TextSealer;

  constructor({ state, secretKey }: GatewayContext) {
    this.#state = state;
    this.#sealer = new TextSealer(deriveKeys(secretKey, SEALED_TOKENS.purpose));
  }

  async find(paymentId: string): Promise<ChargeRecord | undefined> {
    return (await remembering(this.#state.get<ChargeRecord>(SPACE, paymentId)))?.value;
  }

  /** The record of a payment id; created from these values if there is none. Durable when it resolves. */
  async open(
    paymentId: string,
    { token, ...first }: Pick<ChargeRecord, "since" | "currency" | "token" | "customer">,
  ): Promise<ChargeRecord> {
    const sealed = token === null ? null : this.#sealer.seal(token, paymentId);
    const made: ChargeRecord = { ...first, token: sealed, missedAt: null, ended: null };
    return (await remembering(this.#state.create(SPACE, paymentId, made))).record.value;
  }

  /** Undefined if no token was recorded, or the service's secret key has changed since. */
  tokenOf(paymentId: string, { token }: ChargeRecord): string | undefined {
    if (token === null) return undefined;
    try {
      return this.#sealer.unseal(token, paymentId);
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }

  /** Records the ending and removes the token. Returns the ending that was recorded first. */
  async end(paymentId: string, ended: Ended): Promise<ChargeEnding> {
    const record = await this.#update(paymentId, (known) => ({ ...known, token: null, missedAt: null, ended }));
    return record?.ended?.ending ?? ended.ending;
  }

  async setMissedAt(paymentId: string, missedAt: number | null): Promise<void> {
    await this.#update(paymentId, (known) => ({ ...known, missedAt }));
  }

  /** Changes a record that has not ended, and returns it. */
  async #update(paymentId: string, change: (known: ChargeRecord) => ChargeRecord): Promise<ChargeRecord | undefined> {
    for (;;) {
      const found = await remembering(this.#state.get<ChargeRecord>(SPACE, paymentId));
      if (found === undefined || found.value.ended !== null) return found?.value;
      const changed = change(found.value);
      if (await remembering(this.#state.replace(SPACE, paymentId, found.version, changed))) return changed;
    }
  }
}

/** Without the adapter's memory a charge's state is unknown, so its outage counts as one of the gateway. */
export async function remembering<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StateStoreUnavailable)) throw error;
    throw new GatewayTimeout("what is known of Stripe is out of reach", { cause: error });
  }
}
