import type { RealTime } from "@travel-booking/runtime/real-time";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface Retry {
  readonly notBefore: number;
  readonly pause: number;
}

/** What failed is tried again with pauses that double, from a second to a minute; real time. */
export class Retries {
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

  succeeded(key: string): void {
    this.#failed.delete(key);
  }

  failed(key: string): void {
    const pause = Math.min(2 * (this.#failed.get(key)?.pause ?? FIRST_RETRY_MS / 2), LONGEST_RETRY_MS);
    this.#failed.set(key, { notBefore: this.#realTime.now() + pause, pause });
  }
}
