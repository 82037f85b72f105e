import type { StateStore } from "@travel-booking/engines/state-store";
import { GatewayTimeout, GatewayUnavailable } from "../port.ts";
import { ask } from "./ask.ts";
import { remembering } from "./charge-records.ts";
import type { Stripe } from "./client.ts";

const SPACE = "stripe-customers";

/** Stripe's customers, who own kept cards: one per account (docs/rules.md#saved-cards-at-stripe). */
export class Customers {
  readonly #stripe: Stripe;
  readonly #state: StateStore;

  constructor(stripe: Stripe, state: StateStore) {
    this.#stripe = stripe;
    this.#state = state;
  }

  /**
   * Looks in our memory, then at Stripe, and else creates a customer. The key prevents a second one at the same time.
   * @throws GatewayUnavailable: no money is moved here.
   */
  async customerOf(accountId: string): Promise<string> {
    const known = await remembering(this.#state.get<string>(SPACE, accountId));
    if (known !== undefined) return known.value;
    const customer = (await this.#search(accountId)) ?? (await this.#create(accountId));
    await remembering(this.#state.put(SPACE, accountId, customer));
    return customer;
  }

  /** For a customer that Stripe no longer knows. */
  async forget(accountId: string): Promise<void> {
    await remembering(this.#state.remove(SPACE, accountId));
  }

  async #search(accountId: string): Promise<string | undefined> {
    const query = `metadata["account_id"]:"${accountId}"`;
    const found = await withoutMoney(() => this.#stripe.customers.search({ query, limit: 1 }));
    return found.data[0]?.id;
  }

  async #create(accountId: string): Promise<string> {
    const made = await withoutMoney(() =>
      this.#stripe.customers.create(
        { metadata: { account_id: accountId } },
        { idempotencyKey: `customer-${accountId}` },
      ),
    );
    return made.id;
  }
}

async function withoutMoney<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const asked = await ask(call).catch((error: unknown) => {
    if (error instanceof GatewayTimeout) throw new GatewayUnavailable(error.message);
    throw error;
  });
  if ("answer" in asked) return asked.answer;
  throw new GatewayUnavailable(`Stripe did not name the account's customer (${asked.refusal.kind})`);
}
