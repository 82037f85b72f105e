/** Real time: whoever takes longer to answer is slow. */
const SLOW_AFTER_MS = 1_000;
/** Attempts in a row that were quick, after which it is not any more. */
const RECOVERED_AFTER_ATTEMPTS = 4;
/** Slow endpoints that are remembered; of more, those that were slow longest ago are forgotten. */
const MAX_TRACKED = 10_000;

export interface SlowEndpointTrackerOptions {
  /** An endpoint has become slow, or is not any more. */
  readonly onChange: (endpointId: string, slow: boolean) => void;
  readonly slowAfterMs?: number;
  readonly maxTracked?: number;
}

interface SlowEndpoint {
  /** Attempts under way that have taken too long already. */
  late: number;
  quickStreak: number;
}

/**
 * Which endpoints are slow: an attempt takes too long now, or took too long, and not enough quick ones have followed.
 * Known in this process, for as long as it lives.
 */
export class SlowEndpointTracker {
  readonly #changed: (endpointId: string, slow: boolean) => void;
  readonly #slowAfterMs: number;
  readonly #mostRemembered: number;
  /** Those that became slow last are the last. */
  readonly #slow = new Map<string, SlowEndpoint>();

  constructor({ onChange, slowAfterMs = SLOW_AFTER_MS, maxTracked = MAX_TRACKED }: SlowEndpointTrackerOptions) {
    this.#changed = onChange;
    this.#slowAfterMs = slowAfterMs;
    this.#mostRemembered = maxTracked;
  }

  isSlow(endpointId: string): boolean {
    return this.#slow.has(endpointId);
  }

  /** Makes an attempt, and sees how long it takes. One that is broken off before it is late says nothing. */
  async track<Result>(endpointId: string, attempt: () => Promise<Result>): Promise<Result> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#markLate(endpointId);
    }, this.#slowAfterMs);
    try {
      const result = await attempt();
      if (!late) this.#markQuick(endpointId);
      return result;
    } finally {
      clearTimeout(timer);
      if (late) this.#endedLate(endpointId);
    }
  }

  #markLate(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    this.#slow.delete(endpointId);
    this.#slow.set(endpointId, { late: (known?.late ?? 0) + 1, quickStreak: 0 });
    if (known === undefined) this.#changed(endpointId, true);
    const [oldest] = this.#slow.keys();
    if (oldest !== undefined && this.#slow.size > this.#mostRemembered) this.#evict(oldest);
  }

  #endedLate(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    if (known !== undefined) known.late = Math.max(0, known.late - 1);
  }

  #markQuick(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    if (known === undefined) return;
    known.quickStreak += 1;
    if (known.late === 0 && known.quickStreak >= RECOVERED_AFTER_ATTEMPTS) this.#evict(endpointId);
  }

  #evict(endpointId: string): void {
    this.#slow.delete(endpointId);
    this.#changed(endpointId, false);
  }
}
