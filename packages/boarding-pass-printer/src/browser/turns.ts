import { PrinterBusy } from "./problems.ts";

/** Lets a few work at once, and a bounded number of others wait for their turn, in the order they came. */
export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws PrinterBusy too many wait already. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting) throw new PrinterBusy("too many pages wait to be printed");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    } else {
      this.#working += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // A turn is handed on, so that nobody who comes just then slips in between.
      if (next === undefined) this.#working -= 1;
      else next();
    }
  }
}
