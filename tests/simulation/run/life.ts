import type { Interleaving } from "./interleaving.ts";
import type { MachineTime } from "./machine-time.ts";

/** Thrown at a fault point, so that not even synchronous code goes on after the end. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

/** What passes, in milliseconds of real time, when it is the turn of one that can't go on yet. */
const STANDING_MS = 500;

const NEVER = new Promise<never>(() => undefined);

/** One process from its start to its crash. After that nothing of it goes on: what it waits for never comes. */
export class Life {
  readonly #interleaving: Interleaving;
  readonly #time: MachineTime;
  #alive = true;
  #pointsLeft = Number.POSITIVE_INFINITY;
  #standsUntil = 0;

  constructor(interleaving: Interleaving, time: MachineTime) {
    this.#interleaving = interleaving;
    this.#time = time;
  }

  get alive(): boolean {
    return this.#alive;
  }

  end(): void {
    this.#alive = false;
  }

  /** Stands still for so many milliseconds of real time: nothing of it goes on, and what it has sent is on its way. */
  stall(milliseconds: number): void {
    this.#standsUntil = this.#time.now + milliseconds;
  }

  /** Dies at the n-th fault point from now, from 1. */
  endAtPoint(n: number): void {
    this.#pointsLeft = n;
  }

  /** @throws ProcessDied this is the point to die at. */
  readonly reached = (): void => {
    this.#pointsLeft -= 1;
    if (this.#pointsLeft <= 0) this.end();
    if (!this.#alive) throw new ProcessDied();
  };

  readonly turn = async (label: string): Promise<void> => {
    await this.#interleaving.turn(label);
    await this.waitUntil(() => this.#standsUntil, label);
    if (!this.#alive) await NEVER;
  };

  /** Lets turns and time go by until that moment of real time, which may be put off meanwhile. */
  async waitUntil(moment: () => number, label: string): Promise<void> {
    while (this.#alive && this.#time.now < moment()) {
      this.#time.pass(STANDING_MS);
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
