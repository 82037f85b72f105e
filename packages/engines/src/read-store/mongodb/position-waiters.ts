interface Waiter {
  readonly projection: string;
  readonly position: bigint;
  readonly finish: (reached: boolean) => void;
}

/** Those who wait for a projection to reach a position. */
export class PositionWaiters {
  readonly #waiters = new Set<Waiter>();

  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  /** True once `look` finds the position reached; false after so many milliseconds of real time, or at the `end`. */
  add(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
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

  notify(positionOf: (projection: string) => bigint): void {
    for (const { projection, position, finish } of this.#waiters) {
      if (position <= positionOf(projection)) finish(true);
    }
  }

  cancelAll(): void {
    for (const { finish } of this.#waiters) finish(false);
  }
}
