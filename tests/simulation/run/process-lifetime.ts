import type { Interleaving } from "./interleaving.ts";
import type { SimulatedTime } from "./simulated-time.ts";

/** Thrown at a fault point, so that not even synchronous code goes on after the end. */
export class ProcessCrashed extends Error {
  override readonly name = "ProcessCrashed";
}

/** What passes, in milliseconds of real time, when it is the turn of one that can't go on yet. */
const STALL_TICK_MS = 500;

const NEVER = new Promise<never>(() => undefined);

/** One process from its start to its crash. After that nothing of it goes on: what it waits for never comes. */
export class ProcessLifetime {
  readonly #interleaving: Interleaving;
  readonly #time: SimulatedTime;
  #alive = true;
  #faultPointsLeft = Number.POSITIVE_INFINITY;
  #stalledUntil = 0;

  constructor(interleaving: Interleaving, time: SimulatedTime) {
    this.#interleaving = interleaving;
    this.#time = time;
  }

  get alive(): boolean {
    return this.#alive;
  }

  crash(): void {
    this.#alive = false;
  }

  /** Stands still for so many milliseconds of real time: nothing of it goes on, and what it has sent is on its way. */
  stall(milliseconds: number): void {
    this.#stalledUntil = this.#time.now + milliseconds;
  }

  /** Dies at the n-th fault point from now, from 1. */
  crashAtFaultPoint(n: number): void {
    this.#faultPointsLeft = n;
  }

  /** @throws ProcessDied this is the point to die at. */
  readonly reachedFaultPoint = (): void => {
    this.#faultPointsLeft -= 1;
    if (this.#faultPointsLeft <= 0) this.crash();
    if (!this.#alive) throw new ProcessCrashed();
  };

  readonly turn = async (label: string): Promise<void> => {
    await this.#interleaving.turn(label);
    await this.waitUntil(() => this.#stalledUntil, label);
    if (!this.#alive) await NEVER;
  };

  /** Lets turns and time go by until that moment of real time, which may be put off meanwhile. */
  async waitUntil(moment: () => number, label: string): Promise<void> {
    while (this.#alive && this.#time.now < moment()) {
      this.#time.advance(STALL_TICK_MS);
      await this.#interleaving.turn(`${label}, late`);
    }
  }

  /** A call to the outside: it takes effect in a turn of its own, and its answer arrives in another. */
  async call<Answer>(label: string, effect: () => Promise<Answer>): Promise<Answer> {
    if (!this.#alive) return NEVER;
    await this.turn(label);
    try {
      return await effect();
    } finally {
      await this.turn(`${label} answered`);
    }
  }
}
