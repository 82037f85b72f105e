import { type JobHandler, type JobQueue, JobQueueUnavailable, type JobWorker } from "./index.ts";

/** The longest delay of setTimeout, some 24 days: a later wake-up comes then. */
const MAX_DELAY_MS = 2_147_483_647;

/** For one process; lost when it ends. */
export class InMemoryJobQueue implements JobQueue {
  /** The soonest wake-up of each lane that is not due; by `performance.now()`. */
  readonly #delayed = new Map<string, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>();
  /** Lanes that are due and wait for a worker. */
  readonly #due = new Set<string>();
  /** Of the worker that is running. */
  #handler: JobHandler | undefined;
  readonly #handling = new Set<Promise<void>>();
  #closed = false;

  async schedule(lane: string, delayMs = 0): Promise<void> {
    if (this.#closed) throw new JobQueueUnavailable("the job queue is closed");
    const dueAt = performance.now() + delayMs;
    const known = this.#delayed.get(lane);
    if (known !== undefined && known.dueAt <= dueAt) return;
    clearTimeout(known?.timer);
    if (delayMs <= 0) return this.#wake(lane);
    // A timer may fire within the millisecond before.
    const timer = setTimeout(() => this.#wake(lane), Math.min(Math.ceil(delayMs) + 1, MAX_DELAY_MS));
    this.#delayed.set(lane, { dueAt, timer });
  }

  startWorker(handler: JobHandler): JobWorker {
    this.#handler = handler;
    this.#handleDue();
    return { stop: () => this.#stop() };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    await this.#stop();
  }

  #wake(lane: string): void {
    this.#delayed.delete(lane);
    this.#due.add(lane);
    this.#handleDue();
  }

  #handleDue(): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    for (const lane of this.#due) {
      this.#due.delete(lane);
      const handled = handler(lane).finally(() => this.#handling.delete(handled));
      this.#handling.add(handled);
    }
  }

  async #stop(): Promise<void> {
    this.#handler = undefined;
    await Promise.all(this.#handling);
  }
}
