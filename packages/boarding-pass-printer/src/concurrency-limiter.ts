/** There is no browser to print with. The message says what to do. */
export class NoBrowser extends Error {
  override readonly name = "NoBrowser";
}

/** So many pages wait to be printed that another one had better come later. */
export class PrinterBusy extends Error {
  override readonly name = "PrinterBusy";
}

/** A page took too long. */
export class PageTimeout extends Error {
  override readonly name = "PageTimeout";
}

/** Lets a few work at once, and a bounded number of others wait for their turn, in the order they came. */
export class ConcurrencyLimiter {
  readonly #maxConcurrent: number;
  readonly #maxQueued: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(most: number, mostWaiting: number) {
    this.#maxConcurrent = most;
    this.#maxQueued = mostWaiting;
  }

  /** @throws PrinterBusy too many wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#maxConcurrent) {
      if (this.#queue.length >= this.#maxQueued) throw new PrinterBusy("too many pages wait to be printed");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#queue.push(resolve);
      await promise;
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // A turn is handed on, so that nobody who comes just then slips in between.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
