import type { RootDatabase } from "lmdb";
import { causeOfWriteFailure } from "./storage-errors.ts";

/**
 * The writes to one environment. All that wait share one transaction, and the next one begins when that is flushed. So
 * whatever is durable, all writes before it are durable, too: after a failure nothing is written any more.
 */
export class WriteQueue {
  readonly #root: () => Pick<RootDatabase<unknown, string>, "batch">;
  #waiting: (() => void)[] = [];
  /** The transaction that the waiting writes share, and the last one that was begun. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param root the one to write to now. */
  constructor(root: () => Pick<RootDatabase, "batch">) {
    this.#root = root;
  }

  /**
   * Adds a write: `write` puts and removes, in the transaction, and must not throw. Resolves when it is flushed.
   * @throws Error the cause, if this or an earlier transaction failed.
   */
  commit(write: () => void): Promise<void> {
    this.#waiting.push(write);
    if (this.#next === undefined) {
      this.#last = this.#next = this.#run(this.#last);
      // Callers handle it where they wait.
      this.#next.catch(() => undefined);
    }
    return this.#next;
  }

  /**
   * Runs something when the last write is flushed, before the next transaction begins. If it fails, no more is written, as
   * after a transaction that failed.
   * @throws Error the cause, also of an earlier failure.
   */
  pause(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done;
    done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing is under way. */
  async finished(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  async #run(previous: Promise<void>): Promise<void> {
    await previous;
    // Requests that arrive together are handled in one turn of the event loop: all of them write first.
    await new Promise(setImmediate);
    const writes = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    try {
      await this.#root().batch(() => {
        for (const write of writes) write();
      });
    } catch (error) {
      throw await causeOfWriteFailure(error);
    }
  }
}
