import { LRUCache } from "lru-cache";

/** Real time. An attempt that takes longer makes its endpoint slow. */
const SLOW_AFTER_MS = 1_000;
/** So many quick attempts in a row make an endpoint quick again. */
const RECOVERED_AFTER_ATTEMPTS = 4;
/** If more endpoints are slow, those whose last slow attempt is oldest are evicted. */
const MAX_TRACKED = 10_000;

interface SlowEndpoint {
  /** Attempts in flight that already take too long. */
  late: number;
  quickStreak: number;
}

/**
 * Tracks slow endpoints in the memory of this process. An endpoint is slow if an attempt takes or took too long, and
 * not enough quick ones have followed.
 */
export class SlowEndpointTracker {
  readonly #onChange: (endpointId: string, slow: boolean) => void;
  readonly #slow: LRUCache<string, SlowEndpoint>;

  /** @param onChange called when an endpoint becomes slow, and when it is quick again. */
  constructor(onChange: (endpointId: string, slow: boolean) => void) {
    this.#onChange = onChange;
    this.#slow = new LRUCache({ max: MAX_TRACKED, dispose: (_, endpointId) => onChange(endpointId, false) });
  }

  isSlow(endpointId: string): boolean {
    return this.#slow.has(endpointId);
  }

  /** Makes an attempt and measures its time. An attempt that fails before it is late does not count. */
  async track<Result>(endpointId: string, attempt: () => Promise<Result>): Promise<Result> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#markLate(endpointId);
    }, SLOW_AFTER_MS);
    try {
      const result = await attempt();
      if (!late) this.#markQuick(endpointId);
      return result;
    } finally {
      clearTimeout(timer);
      const known = late ? this.#slow.peek(endpointId) : undefined;
      if (known !== undefined) known.late = Math.max(0, known.late - 1);
    }
  }

  #markLate(endpointId: string): void {
    // `get` makes this endpoint the last one to be evicted, so quick attempts only `peek`.
    const known = this.#slow.get(endpointId);
    if (known !== undefined) {
      known.late += 1;
      known.quickStreak = 0;
      return;
    }
    this.#onChange(endpointId, true);
    this.#slow.set(endpointId, { late: 1, quickStreak: 0 });
  }

  #markQuick(endpointId: string): void {
    const known = this.#slow.peek(endpointId);
    if (known === undefined) return;
    known.quickStreak += 1;
    if (known.late === 0 && known.quickStreak >= RECOVERED_AFTER_ATTEMPTS) this.#slow.delete(endpointId);
  }
}
