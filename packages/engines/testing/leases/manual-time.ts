import { setImmediate as settled } from "node:timers/promises";
import type { RealTime } from "@travel-booking/runtime/real-time";

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** Real time that passes when a test says so. */
export class ManualTime implements RealTime {
  #now = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { dueAt: this.#now + milliseconds, wake: resolve };
    this.#sleepers.add(sleeper);
    signal?.addEventListener("abort", resolve as () => void, { once: true });
    return promise.finally(() => this.#sleepers.delete(sleeper));
  }

  /** Lets time pass. Whoever sleeps wakes in time, and has done what it can do at once before time goes on. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await settled();
    for (let next = this.#dueBy(until); next !== undefined; next = this.#dueBy(until)) {
      this.#now = Math.max(this.#now, next.dueAt);
      this.#sleepers.delete(next);
      next.wake();
      await settled();
    }
    this.#now = until;
  }

  #dueBy(moment: number): Sleeper | undefined {
    const [first] = [...this.#sleepers].sort((one, other) => one.dueAt - other.dueAt);
    return first !== undefined && first.dueAt <= moment ? first : undefined;
  }
}
