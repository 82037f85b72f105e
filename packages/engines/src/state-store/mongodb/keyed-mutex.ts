/** Runs work on one key in call order, and work on different keys concurrently. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #failsQueue: (error: unknown) => boolean;

  /**
   * @param failsQueue whether an error also fails the work queued behind it. Else that work would wait for the same
   * time-out.
   */
  constructor(failsQueue: (error: unknown) => boolean) {
    this.#failsQueue = failsQueue;
  }

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work, (error: unknown) => {
      if (this.#failsQueue(error)) throw error;
      return work();
    });
    this.#last.set(key, result);
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key);
    };
    result.then(forget, forget);
    return result;
  }

  /** Resolves when all work so far has settled. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
