interface Waiter {
  readonly projection: string;
  readonly position: bigint;
  readonly finish: (reached: boolean) => void;
}

/** Those who wait until a projection has reached a position. */
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
    return new Promise((resolve) => {
      const finish = (reached: boolean) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { projection, position, finish };
      const timer = setTimeout(finish, timeoutMs, false);
      this.#waiters.add(waiter);
    });
  }

  /** Positions have advanced. */
  notify(): void {
    for (const { projection, position, finish } of this.#waiters) {
      if (position <= this.#positionOf(projection)) finish(true);
    }
  }

  cancelAll(): void {
    for (const { finish } of this.#waiters) finish(false);
  }
}
