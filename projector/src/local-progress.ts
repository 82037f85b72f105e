interface Waiter {
  readonly position: bigint;
  readonly resolve: () => void;
}

/** The positions of the live generations of all projections. */
export class LocalProgress {
  readonly #positions = new Map<string, bigint>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  #onAdvance: () => void = () => undefined;

  /** Sets the listener for every advance. */
  onAdvance(listener: () => void): void {
    this.#onAdvance = listener;
  }

  /** Everything up to here can be read; 0 for an unknown projection. */
  positionOf(projection: string): bigint {
    return this.#positions.get(projection) ?? 0n;
  }

  positions(): readonly (readonly [projection: string, position: bigint])[] {
    return [...this.#positions];
  }

  /** Lower positions are ignored. */
  advance(projection: string, position: bigint): void {
    if (position <= this.positionOf(projection) && this.#positions.has(projection)) return;
    this.#positions.set(projection, position);
    this.#onAdvance();
    for (const waiter of this.#waiters.get(projection) ?? []) {
      if (waiter.position <= position) waiter.resolve();
    }
  }

  /** Resolves true once `position` can be read, false after `timeoutMs` of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    if (position <= this.positionOf(projection)) return Promise.resolve(true);
    const waiters = this.#waiters.get(projection) ?? new Set();
    this.#waiters.set(projection, waiters);
    return new Promise((resolve) => {
      const end = (reached: boolean) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { position, resolve: () => end(true) };
      const timer = setTimeout(end, timeoutMs, false);
      waiters.add(waiter);
    });
  }
}
