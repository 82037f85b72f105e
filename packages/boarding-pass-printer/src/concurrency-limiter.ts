/** The queue of pages to print is full. */
export class PrinterBusy extends Error {
  override readonly name = "PrinterBusy";
}

/** Runs a bounded number of tasks at once and queues a bounded number of others, first in, first out. */
export class ConcurrencyLimiter {
  readonly #maxConcurrent: number;
  readonly #maxQueued: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(maxConcurrent: number, maxQueued: number) {
    this.#maxConcurrent = maxConcurrent;
    this.#maxQueued = maxQueued;
  }

  /** @throws PrinterBusy the queue is full. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#maxConcurrent) {
      if (this.#queue.length >= this.#maxQueued) throw new PrinterBusy("too many pages wait to be printed");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#queue.push(resolve);
      await promise;
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      const next = this.#queue.shift();
      // The slot goes to the next in the queue, so that no new task can overtake it.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
