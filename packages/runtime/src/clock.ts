/** Where the service's time comes from. Leases and I/O time-outs do not use it: they run on real time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is set; for tests. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    if (now < this.#now) throw new RangeError("time does not go back");
    this.#now = now;
  }

  advance(milliseconds: number): void {
    this.set(this.#now + milliseconds);
  }
}
