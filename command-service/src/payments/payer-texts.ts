import { DAY, ERASED_WORDS } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { type Clock, deriveKeys, type SecretKey, TextSealer, UnsealFailed } from "@travel-booking/runtime";

const SPACE = "payer-texts";
export const SEALED_PAYER_TEXTS = { space: SPACE, purpose: SPACE, field: null } as const;
const RETENTION = 90 * DAY;

interface PayerTextsOptions {
  readonly state: Pick<StateStore, "create" | "get" | "remove">;
  readonly secretKey: SecretKey;
  readonly clock: Clock;
}

/**
 * Texts of payers with money that matched nothing, by bank entry. Only they can show what the money is for. They may
 * contain names, and it is unknown whose. So they are in no event, are stored sealed, and are kept only until the money
 * is matched or goes back.
 */
export class PayerTexts {
  readonly #options: PayerTextsOptions;
  readonly #sealer: TextSealer;

  constructor(options: PayerTextsOptions) {
    this.#options = options;
    this.#sealer = new TextSealer(deriveKeys(options.secretKey, SEALED_PAYER_TEXTS.purpose));
  }

  /** Keeps the first text of an entry. The text is durable when this resolves. */
  async keep(entryId: string, text: string): Promise<void> {
    const { state, clock } = this.#options;
    await state.create(SPACE, entryId, this.#sealer.seal(text, entryId), { expiresAt: clock.now() + RETENTION });
  }

  /** Null if no text is kept. */
  async find(entryId: string): Promise<string | null> {
    const record = await this.#options.state.get<string>(SPACE, entryId);
    if (record === undefined) return null;
    try {
      return this.#sealer.unseal(record.value, entryId);
    } catch (error) {
      // The service's secret key was replaced (`SECRET_KEY_IS_NEW`).
      if (error instanceof UnsealFailed) return ERASED_WORDS.text;
      throw error;
    }
  }

  async forget(entryId: string): Promise<void> {
    await this.#options.state.remove(SPACE, entryId);
  }
}
