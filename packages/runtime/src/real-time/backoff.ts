import { setTimeout } from "node:timers/promises";

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
