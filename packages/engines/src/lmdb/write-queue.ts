import type { RootDatabase } from "lmdb";
import { causeOfWriteFailure } from "./storage-errors.ts";

/**
 * The writes to one environment. All waiting writes share one transaction, and the next one begins when that is
 * flushed. After a failure nothing is written any more. So whatever is durable, all writes before it are durable, too.
 */
export class WriteQueue {
  readonly #root: () => Pick<RootDatabase<unknown, string>, "batch">;
  #waiting: (() => void)[] = [];
  /** The transaction that the waiting writes share, and the last one that began. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param root returns the environment to write to now. */
  constructor(root: () => Pick<RootDatabase, "batch">) {
    this.#root = root;
  }

  /**
   * Adds a write: `write` puts and removes within the transaction, and must not throw. Resolves when it is flushed.
   * @throws Error the cause, if this or an earlier transaction failed.
   */
  commit(write: () => void): Promise<void> {
    this.#waiting.push(write);
    if (this.#next === undefined) {
      this.#last = this.#next = this.#run(this.#last);
      // Callers handle a failure where they wait.
      this.#next.catch(() => undefined);
    }
    return this.#next;
  }

  /**
   * Runs a task after the last write is flushed, before the next transaction begins. If the task fails, nothing is
   * written any more, as after a failed transaction.
   * @throws Error the cause, also of an earlier failure.
   */
  pause(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done;
    done.catch(() => undefined);
    return done;
  }

  /** Resolves when no transaction is running. */
  async finished(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  async #run(previous: Promise<void>): Promise<void> {
    await previous;
    // Waits until all requests that arrived together have written: one turn of the event loop handles them.
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
