import { setTimeout } from "node:timers/promises";

export interface BackOffOptions {
  /** Real milliseconds. */
  readonly first: number;
  readonly longest: number;
}

/** Pauses that grow, each shortened by chance: what was dropped together does not come back together. */
export class BackOff {
  readonly #options: BackOffOptions;
  #next: number;

  constructor(options: BackOffOptions) {
    this.#options = options;
    this.#next = options.first;
  }

  succeeded(): void {
    this.#next = this.#options.first;
  }

  /** The length of the next pause, in real milliseconds. */
  next(): number {
    const pause = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(2 * this.#next, this.#options.longest);
    return pause;
  }

  /** Returns early when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await setTimeout(this.next(), undefined, { signal, ref: false }).catch(() => undefined);
  }
}
