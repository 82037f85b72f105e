import type { RateCounter, Window } from "./index.ts";

interface Entry {
  startedAt: number;
  count: number;
  endsAt: number;
  /** `performance.now()` at the beginning of the window. */
  readonly begunAt: number;
}

const MAX_KEYS = 100_000;

/** A counter for one process. It keeps a bounded number of keys, and removes windows that are over. */
export class InMemoryRateCounter implements RateCounter {
  /** In the order in which the windows began. The oldest window is removed first, however often its key is counted. */
  readonly #entries = new Map<string, Entry>();
  readonly #maxKeys: number;

  constructor(maxKeys: number = MAX_KEYS) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#entries.size;
  }

  increment(key: string, now: number, windowMs: number, by = 1): Window {
    const running = this.#entries.get(key);
    if (running !== undefined && isRunning(running, now)) {
      running.count += by;
      return { startedAt: running.startedAt, count: running.count };
    }
    this.#entries.delete(key);
    this.#entries.set(key, { startedAt: now, count: by, endsAt: now + windowMs, begunAt: performance.now() });
    this.#removeOver(now);
    return { startedAt: now, count: by };
  }

  #removeOver(now: number): void {
    for (const [key, first] of this.#entries) {
      if (this.#entries.size <= this.#maxKeys && isRunning(first, now)) return;
      this.#entries.delete(key);
    }
  }
}

/** If `now` is before the start, the clock was set back. Then the window lasts for its length in real time. */
function isRunning({ startedAt, endsAt, begunAt }: Entry, now: number): boolean {
  if (now >= startedAt) return now < endsAt;
  return performance.now() < begunAt + (endsAt - startedAt);
}
