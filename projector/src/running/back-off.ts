import { setTimeout } from "node:timers/promises";

export interface BackOffOptions {
  /** Real milliseconds. */
  readonly first: number;
  readonly longest: number;
}

/** Growing pauses between attempts; real time. */
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

  /** Returns early when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    const pause = this.#next;
    this.#next = Math.min(2 * pause, this.#options.longest);
    await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
