import { LRUCache } from "lru-cache";
import type { RateCounter, Window } from "./index.ts";

interface Entry {
  startedAt: number;
  count: number;
  endsAt: number;
}

const MAX_KEYS = 100_000;

/** For one process. It keeps a bounded number of keys, and removes windows that are over. */
export class InMemoryRateCounter implements RateCounter {
  /** Only ever peeked at: the key that was added first is evicted first, however often it is counted. */
  readonly #entries: LRUCache<string, Entry>;
  #sweepAt = 0;

  constructor(maxKeys: number = MAX_KEYS) {
    this.#entries = new LRUCache({ max: maxKeys });
  }

  get size(): number {
    return this.#entries.size;
  }

  increment(key: string, now: number, windowMs: number): Window {
    if (now >= this.#sweepAt) this.#sweep(now, windowMs);
    let entry = this.#entries.peek(key);
    if (entry === undefined) {
      entry = { startedAt: now, count: 0, endsAt: now + windowMs };
      this.#entries.set(key, entry);
    } else if (now >= entry.endsAt) {
      Object.assign(entry, { startedAt: now, count: 0, endsAt: now + windowMs });
    }
    entry.count += 1;
    return entry;
  }

  #sweep(now: number, windowMs: number): void {
    for (const [key, entry] of [...this.#entries.entries()]) if (now >= entry.endsAt) this.#entries.delete(key);
    this.#sweepAt = now + windowMs;
  }
}
