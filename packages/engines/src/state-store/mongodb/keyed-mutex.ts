/** Work on one key in the order of the calls; on different keys at once. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #failsQueue: (error: unknown) => boolean;

  /** @param endsTheQueue says of a failure that what waits behind it fails with it, instead of waiting as long again */
  constructor(endsTheQueue: (error: unknown) => boolean) {
    this.#failsQueue = endsTheQueue;
  }

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work, (error: unknown) => {
      if (this.#failsQueue(error)) throw error;
      return work();
    });
    this.#last.set(key, turn);
    const forget = () => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** All that was called before this. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
