import type { Clock } from "@travel-booking/runtime";

/** Farther than any look is late. */
const JUMP_MS = 500;

/** Tells whether the service's clock was moved: whatever waits by real time may be due already. */
export class ClockJumps {
  readonly #clock: Clock;
  #ahead: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = this.#lead();
  }

  /** Whether it was moved since the last look. */
  look(): boolean {
    const ahead = this.#lead();
    const jumped = ahead - this.#ahead > JUMP_MS;
    this.#ahead = ahead;
    return jumped;
  }

  #lead(): number {
    return this.#clock.now() - performance.now();
  }
}
