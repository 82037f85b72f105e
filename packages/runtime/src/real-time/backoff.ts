import { setTimeout } from "node:timers/promises";
import type { RealTime } from "./real-time.ts";

export interface BackoffOptions {
  /** Real milliseconds. */
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Pauses that grow, each shortened by chance: what was dropped together does not come back together. */
export class Backoff {
  readonly #options: BackoffOptions;
  #next: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#next = options.initialMs;
  }

  reset(): void {
    this.#next = this.#options.initialMs;
  }

  /** The length of the next pause, in real milliseconds. */
  nextDelay(): number {
    const pause = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(2 * this.#next, this.#options.maxMs);
    return pause;
  }

  /** Returns early when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await setTimeout(this.nextDelay(), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

const RETRY_INITIAL_MS = 50;
const RETRY_MAX_MS = 1_000;

/** Pauses between retries that double, from 50 ms to a second, for a limited time in all. */
export class BoundedBackoff {
  readonly #time: RealTime;
  readonly #giveUpAt: number;
  #next = RETRY_INITIAL_MS;

  constructor(time: RealTime, giveUpAfterMs: number) {
    this.#time = time;
    this.#giveUpAt = time.now() + giveUpAfterMs;
  }

  /** False, at once, where the time would be over before the pause is. */
  async pause(): Promise<boolean> {
    const pause = this.#next;
    if (this.#time.now() + pause > this.#giveUpAt) return false;
    this.#next = Math.min(2 * pause, RETRY_MAX_MS);
    await this.#time.pause(pause);
    return true;
  }
}
