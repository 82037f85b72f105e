import type { RealTime } from "@travel-booking/runtime/real-time";

/**
 * Watches a record that somebody else keeps fresh. Machines' clocks are never compared: what counts is how long, by
 * the clock of this one, the record has been seen as it is.
 */
export class VersionWatch {
  readonly #realTime: RealTime;
  #seen: string | number | undefined;
  #since = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Milliseconds for which the record has stood in this version; to be told of each version right after reading it. */
  unchangedForMs(version: string | number): number {
    const now = this.#realTime.now();
    if (version !== this.#seen) {
      this.#seen = version;
      this.#since = now;
    }
    return now - this.#since;
  }
}
