import type { RealTime } from "@travel-booking/runtime/real-time";

const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

interface Retry {
  readonly notBefore: number;
  readonly delayMs: number;
}

/** What failed is tried again with pauses that double, from a second to a minute; real time. */
export class RetryBackoff {
  readonly #realTime: Pick<RealTime, "now">;
  readonly #failed = new Map<string, Retry>();

  constructor(realTime: Pick<RealTime, "now">) {
    this.#realTime = realTime;
  }

  /** Whether it may be tried now. */
  isReady(key: string): boolean {
    const retry = this.#failed.get(key);
    return retry === undefined || this.#realTime.now() >= retry.notBefore;
  }

  recordSuccess(key: string): void {
    this.#failed.delete(key);
  }

  recordFailure(key: string): void {
    const pause = Math.min(2 * (this.#failed.get(key)?.delayMs ?? INITIAL_BACKOFF_MS / 2), MAX_BACKOFF_MS);
    this.#failed.set(key, { notBefore: this.#realTime.now() + pause, delayMs: pause });
  }
}
