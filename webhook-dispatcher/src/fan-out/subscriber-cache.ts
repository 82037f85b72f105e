import type { ReadModels } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, WEBHOOKS } from "@travel-booking/read-models";
import { setBounded } from "../set-bounded.ts";
import { type Subscriber, subscribersOf } from "./subscribers.ts";

/** Real time. Whoever was deleted meanwhile is not sent what is added for it. */
const CACHE_TTL_MS = 60_000;

/** The endpoints of accounts, remembered until there is a new one anywhere. */
export class SubscriberCache {
  readonly #models: ReadModels;
  readonly #now: () => number;
  readonly #cache = new Map<string, readonly Subscriber[]>();
  #newest = "";
  #expiresAt = 0;

  /** `now`: milliseconds by a clock that never goes back; the machine's unless told. */
  constructor(models: ReadModels, now: () => number = () => performance.now()) {
    this.#models = models;
    this.#now = now;
  }

  /** Before events are looked at: forgets what may be different by now. */
  async refresh(): Promise<void> {
    const newest = await this.#newestEndpoint();
    if (newest === this.#newest && this.#now() < this.#expiresAt) return;
    this.#cache.clear();
    this.#newest = newest;
    this.#expiresAt = this.#now() + CACHE_TTL_MS;
  }

  async get(accountId: string): Promise<readonly Subscriber[]> {
    const known = this.#cache.get(accountId);
    if (known !== undefined) return known;
    const subscribers = await subscribersOf(this.#models, accountId);
    setBounded(this.#cache, accountId, subscribers);
    return subscribers;
  }

  /** Where the latest endpoint there is was registered. */
  async #newestEndpoint(): Promise<string> {
    const { model, all: index } = WEBHOOKS.endpoint;
    const [newest] = await this.#models.page(model, { index, partition: ALL_PARTITION, order: "descending", limit: 1 });
    return newest?.sort ?? "";
  }
}
