import { BlobStoreUnavailable } from "./errors.ts";

/** What a store has accepted and not finished. */
export class InFlightOperations {
  readonly #work = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @throws BlobStoreUnavailable after `close` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new BlobStoreUnavailable("the blob store is closed");
    const running = work();
    this.#work.add(running);
    try {
      return await running;
    } finally {
      this.#work.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#work);
  }
}
