interface Waiter {
  readonly projection: string;
  readonly position: bigint;
  readonly resolve: (reached: boolean) => void;
}

/** Callers that wait until a projection has reached a position. */
export class PositionWaiters {
  readonly #positionOf: (projection: string) => bigint;
  readonly #waiters = new Set<Waiter>();

  constructor(positionOf: (projection: string) => bigint) {
    this.#positionOf = positionOf;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** True once the position is reached; false after `timeoutMs` of real time, or on `cancelAll`. */
  wait(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    if (position <= this.#positionOf(projection)) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { projection, position, resolve };
    const timer = setTimeout(resolve, timeoutMs, false);
    this.#waiters.add(waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    });
  }

  /** To be called when positions have advanced. */
  notify(): void {
    for (const { projection, position, resolve } of this.#waiters) {
      if (position <= this.#positionOf(projection)) resolve(true);
    }
  }

  cancelAll(): void {
    for (const { resolve } of this.#waiters) resolve(false);
  }
}
