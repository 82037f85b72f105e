import type { Interleaving } from "./interleaving.ts";

/** Thrown at a fault point, so that not even synchronous code goes on after the end. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

const NEVER = new Promise<never>(() => undefined);

/** One process from its start to its crash. After that nothing of it goes on: what it waits for never comes. */
export class Life {
  readonly #interleaving: Interleaving;
  #alive = true;
  #pointsLeft = Number.POSITIVE_INFINITY;

  constructor(interleaving: Interleaving) {
    this.#interleaving = interleaving;
  }

  get alive(): boolean {
    return this.#alive;
  }

  end(): void {
    this.#alive = false;
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
    if (!this.#alive) await NEVER;
  };

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
