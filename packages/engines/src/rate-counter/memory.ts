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
  /** Only ever peeked at: the window that began first is the first to be removed, however often it is counted. */
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxKeys: number = MAX_KEYS) {
    this.#entries = new LRUCache({ max: maxKeys });
  }

  get size(): number {
    return this.#entries.size;
  }

  increment(key: string, now: number, windowMs: number): Window {
    const running = this.#entries.peek(key);
    if (running !== undefined && now < running.endsAt) {
      running.count += 1;
      return { startedAt: running.startedAt, count: running.count };
    }
    this.#entries.delete(key);
    this.#entries.set(key, { startedAt: now, count: 1, endsAt: now + windowMs });
    this.#removeOver(now);
    return { startedAt: now, count: 1 };
  }

  #removeOver(now: number): void {
    for (;;) {
      const first = this.#entries.rvalues().next().value;
      if (first === undefined || now < first.endsAt) return;
      this.#entries.pop();
    }
  }
}
