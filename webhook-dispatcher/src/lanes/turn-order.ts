import type { SlotAllocator, SlotHolder } from "./slots.ts";

/** Endpoints with waiting lanes. Accounts take turns, and so do the endpoints of an account. */
export class TurnOrder<Endpoint extends SlotHolder> {
  readonly #accounts = new Map<string, Set<Endpoint>>();

  /** Adds an endpoint as the last one of its account, unless it is there. */
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
   * Removes the first endpoint that may have a slot; its account is the last one then. Accounts and endpoints that are
   * passed over have slots, so that there are never more of them than slots, however many wait.
   */
  take(slots: SlotAllocator): Endpoint | undefined {
    for (const [accountId, endpoints] of this.#accounts) {
      if (!slots.mayHaveMore(accountId)) continue;
      for (const endpoint of endpoints) {
        if (!slots.canAcquire(endpoint)) continue;
        endpoints.delete(endpoint);
        this.#accounts.delete(accountId);
        if (endpoints.size > 0) this.#accounts.set(accountId, endpoints);
        return endpoint;
      }
    }
    return undefined;
  }
}
