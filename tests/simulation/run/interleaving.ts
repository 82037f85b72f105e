import { setImmediate as microtasksDone } from "node:timers/promises";
import type { Scheduler } from "fast-check";

/**
 * Lets everything that waits for I/O go on one at a time, in an order that is drawn. Between two turns all that
 * needs no turn runs to its end.
 */
export class Interleaving {
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Resolves when it is this one's turn. */
  turn(label: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), label);
  }

  /** Gives one turn; false where nobody waits for one. */
  async runNextTurn(): Promise<boolean> {
    await microtasksDone();
    if (this.#scheduler.count() === 0) return false;
    await this.#scheduler.waitNext(1);
    await microtasksDone();
    return true;
  }
}
