import type { RateCounter, Window } from "../port.ts";

interface Entry {
  startedAt: number;
  count: number;
  endsAt: number;
}

const MAX_KEYS = 100_000;

/** For one process. Holds a bounded number of keys and lets go of those whose window is over. */
export class InMemoryRateCounter implements RateCounter {
  readonly #entries = new Map<string, Entry>();
  readonly #maxKeys: number;
  #sweepAt = 0;

  constructor(mostKeys: number = MAX_KEYS) {
    this.#maxKeys = mostKeys;
  }

  get size(): number {
    return this.#entries.size;
  }

  increment(key: string, now: number, windowMs: number): Window {
    if (now >= this.#sweepAt) this.#sweep(now, windowMs);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { startedAt: now, count: 0, endsAt: now + windowMs };
      this.#entries.set(key, entry);
      if (this.#entries.size > this.#maxKeys) this.#evictOldest();
    } else if (now >= entry.endsAt) {
      entry.startedAt = now;
      entry.count = 0;
      entry.endsAt = now + windowMs;
    }
    entry.count += 1;
    return entry;
  }

  #sweep(now: number, windowMs: number): void {
    for (const [key, entry] of this.#entries) if (now >= entry.endsAt) this.#entries.delete(key);
    this.#sweepAt = now + windowMs;
  }

  #evictOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
