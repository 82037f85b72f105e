import type { Clock } from "@travel-booking/runtime";

/** Farther than any look is late. */
const JUMP_MS = 500;

/** Tells whether the service's clock was moved: whatever waits by real time may be due already. */
export class ClockJumpDetector {
  readonly #clock: Clock;
  #lastOffset: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastOffset = this.#offset();
  }

  /** Whether it was moved since the last look. */
  hasJumped(): boolean {
    const ahead = this.#offset();
    const jumped = ahead - this.#lastOffset > JUMP_MS;
    this.#lastOffset = ahead;
    return jumped;
  }

  #offset(): number {
    return this.#clock.now() - performance.now();
  }
}
