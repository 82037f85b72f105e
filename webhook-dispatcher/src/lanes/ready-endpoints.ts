import { LinkedSet } from "./linked-set.ts";
import type { SlotAllocator, SlotHolder } from "./slots.ts";

interface ReadyAccount<Endpoint> {
  readonly endpoints: LinkedSet<Endpoint>;
  needed: number;
}

/**
 * Endpoints with waiting lanes. Their accounts are kept by the slots that have to be free for one of their endpoints, so
 * that the next one is found without looking at those that can't start. Accounts that need as little take turns, and
 * so do the endpoints of an account; there are a hundred of them at most.
 */
export class ReadyEndpoints<Endpoint extends SlotHolder> {
  readonly #slots: Pick<SlotAllocator, "needed">;
  readonly #accounts = new Map<string, ReadyAccount<Endpoint>>();
  readonly #byNeed = new Map<number, LinkedSet<ReadyAccount<Endpoint>>>();

  constructor(slots: Pick<SlotAllocator, "needed">) {
    this.#slots = slots;
  }

  /** Adds an endpoint as the last one of its account, unless it is there. */
  add(endpoint: Endpoint): void {
    const { accountId } = endpoint;
    const account = this.#accounts.get(accountId) ?? { endpoints: new LinkedSet<Endpoint>(), needed: Number.NaN };
    this.#accounts.set(accountId, account);
    account.endpoints.add(endpoint);
    this.update(accountId);
  }

  delete(endpoint: Endpoint): void {
    if (this.#accounts.get(endpoint.accountId)?.endpoints.delete(endpoint)) this.update(endpoint.accountId);
  }

  /** To be called when the slots of an account have changed. */
  update(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    let needed = Number.POSITIVE_INFINITY;
    for (const endpoint of account.endpoints) needed = Math.min(needed, this.#slots.needed(endpoint));
    if (account.endpoints.size === 0) this.#accounts.delete(accountId);
    else if (needed === account.needed) return;
    this.#remove(account);
    account.needed = needed;
    if (account.endpoints.size === 0) return;
    const same = this.#byNeed.get(needed) ?? new LinkedSet();
    this.#byNeed.set(needed, same);
    same.add(account);
  }

  /** What the endpoint that is next needs; infinite: there is none. */
  get leastNeeded(): number {
    return Math.min(...this.#byNeed.keys());
  }

  /** The next endpoint that can start while so many slots are free. */
  next(free: number): Endpoint | undefined {
    const account = this.#byNeed.get(this.leastNeeded)?.first;
    if (account === undefined) return undefined;
    for (const endpoint of account.endpoints) if (this.#slots.needed(endpoint) < free) return endpoint;
    return undefined;
  }

  #remove(account: ReadyAccount<Endpoint>): void {
    const same = this.#byNeed.get(account.needed);
    same?.delete(account);
    if (same?.size === 0) this.#byNeed.delete(account.needed);
  }
}
