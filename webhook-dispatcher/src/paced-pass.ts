/**
 * Repeats a pass over something that may be large, a step at a time: each step costs the same, however much there is.
 * Passes begin so many milliseconds of real time apart, or one after the other where they take longer.
 */
export class PacedPass {
  readonly #begin: () => AsyncGenerator<void>;
  readonly #intervalMs: number;
  #pass: AsyncGenerator<void> | undefined;
  #nextAt = 0;

  constructor(begin: () => AsyncGenerator<void>, intervalMs: number) {
    this.#begin = begin;
    this.#intervalMs = intervalMs;
  }

  /** Makes the next step, if one is due; `atOnce`: a whole new pass. The step after an error begins anew. */
  async step(atOnce: boolean): Promise<void> {
    const now = performance.now();
    if (atOnce || (this.#pass === undefined && now >= this.#nextAt)) {
      this.#pass = this.#begin();
      this.#nextAt = now + this.#intervalMs;
    }
    const pass = this.#pass;
    this.#pass = undefined;
    try {
      if (atOnce) await runWhole(pass);
      else if ((await pass?.next())?.done === false) this.#pass = pass;
    } catch (error) {
      this.#nextAt = 0;
      throw error;
    }
  }
}

/** Makes all steps of a pass in a row. */
export async function runWhole(pass: AsyncGenerator<void> | undefined): Promise<void> {
  while ((await pass?.next())?.done === false);
}
