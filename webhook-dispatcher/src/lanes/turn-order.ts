import type { SlotAllocator, SlotHolder } from "./slots.ts";

/** Endpoints with waiting lanes. Accounts take turns, and so do the endpoints of an account. */
export class TurnOrder<Endpoint extends SlotHolder> {
  /** The account whose turn is next comes first. */
  readonly #accounts = new Map<string, Set<Endpoint>>();
  /** This iterator goes on where it was. A new one would step over every account that had its turn. */
  #turns = this.#accounts.entries();

  /** Adds an endpoint as the last one of its account, unless it is already there. */
  add(endpoint: Endpoint): void {
    const { accountId } = endpoint;
    const endpoints = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, endpoints.add(endpoint));
  }

  delete(endpoint: Endpoint): void {
    const endpoints = this.#accounts.get(endpoint.accountId);
    endpoints?.delete(endpoint);
    if (endpoints?.size === 0) this.#accounts.delete(endpoint.accountId);
  }

  /**
   * Removes the next endpoint that may have a slot. Accounts and endpoints that are passed over have slots. So there
   * are never more of them than slots, however many wait.
   */
  take(slots: SlotAllocator): Endpoint | undefined {
    for (let left = this.#accounts.size; left > 0; left -= 1) {
      const [accountId, endpoints] = this.#next();
      this.#accounts.delete(accountId);
      this.#accounts.set(accountId, endpoints);
      if (!slots.mayHaveMore(accountId)) continue;
      const endpoint = endpoints.values().find((each) => slots.canAcquire(each));
      if (endpoint === undefined) continue;
      this.delete(endpoint);
      return endpoint;
    }
    return undefined;
  }

  #next(): [accountId: string, endpoints: Set<Endpoint>] {
    const { value } = this.#turns.next();
    if (value !== undefined) return value;
    this.#turns = this.#accounts.entries();
    return this.#next();
  }
}
