/** Real time: whoever takes longer to answer is slow. */
const SLOW_AFTER_MS = 1_000;
/** Attempts in a row that were quick, after which it is not any more. */
const QUICK_AGAIN_AFTER = 4;
/** Slow endpoints that are remembered; of more, those that were slow longest ago are forgotten. */
const MOST_REMEMBERED = 10_000;

export interface PacesOptions {
  /** An endpoint has become slow, or is not any more. */
  readonly changed: (endpointId: string, slow: boolean) => void;
  readonly slowAfterMs?: number;
  readonly mostRemembered?: number;
}

interface SlowEndpoint {
  /** Attempts under way that have taken too long already. */
  late: number;
  quickInARow: number;
}

/**
 * Which endpoints are slow: an attempt takes too long now, or took too long, and not enough quick ones have followed.
 * Known in this process, for as long as it lives.
 */
export class Paces {
  readonly #changed: (endpointId: string, slow: boolean) => void;
  readonly #slowAfterMs: number;
  readonly #mostRemembered: number;
  /** Those that became slow last are the last. */
  readonly #slow = new Map<string, SlowEndpoint>();

  constructor({ changed, slowAfterMs = SLOW_AFTER_MS, mostRemembered = MOST_REMEMBERED }: PacesOptions) {
    this.#changed = changed;
    this.#slowAfterMs = slowAfterMs;
    this.#mostRemembered = mostRemembered;
  }

  isSlow(endpointId: string): boolean {
    return this.#slow.has(endpointId);
  }

  /** Makes an attempt, and sees how long it takes. One that is broken off before it is late says nothing. */
  async during<Result>(endpointId: string, attempt: () => Promise<Result>): Promise<Result> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#isLate(endpointId);
    }, this.#slowAfterMs);
    try {
      const result = await attempt();
      if (!late) this.#wasQuick(endpointId);
      return result;
    } finally {
      clearTimeout(timer);
      if (late) this.#endedLate(endpointId);
    }
  }

  #isLate(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    this.#slow.delete(endpointId);
    this.#slow.set(endpointId, { late: (known?.late ?? 0) + 1, quickInARow: 0 });
    if (known === undefined) this.#changed(endpointId, true);
    const [oldest] = this.#slow.keys();
    if (oldest !== undefined && this.#slow.size > this.#mostRemembered) this.#forget(oldest);
  }

  #endedLate(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    if (known !== undefined) known.late = Math.max(0, known.late - 1);
  }

  #wasQuick(endpointId: string): void {
    const known = this.#slow.get(endpointId);
    if (known === undefined) return;
    known.quickInARow += 1;
    if (known.late === 0 && known.quickInARow >= QUICK_AGAIN_AFTER) this.#forget(endpointId);
  }

  #forget(endpointId: string): void {
    this.#slow.delete(endpointId);
    this.#changed(endpointId, false);
  }
}
