import { type JobHandler, type JobQueue, JobQueueUnavailable, type JobWorker } from "./index.ts";

/** The longest delay of setTimeout, some 24 days. A later wake-up comes after that time. */
const MAX_DELAY_MS = 2_147_483_647;

interface Worker {
  readonly handler: JobHandler;
  readonly running: Set<Promise<void>>;
}

/** A queue for one process, lost when the process ends. */
export class InMemoryJobQueue implements JobQueue {
  /** The earliest future wake-up of each lane, by `performance.now()`. */
  readonly #delayed = new Map<string, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>();
  /** Lanes that are due and wait for a worker. */
  readonly #due = new Set<string>();
  /** The workers take turns. */
  #workers: Worker[] = [];
  #closed = false;

  async schedule(lane: string, delayMs = 0): Promise<void> {
    if (this.#closed) throw new JobQueueUnavailable("the job queue is closed");
    const dueAt = performance.now() + delayMs;
    const known = this.#delayed.get(lane);
    if (known !== undefined && known.dueAt <= dueAt) return;
    clearTimeout(known?.timer);
    if (delayMs <= 0) return this.#wake(lane);
    // A timer may fire up to a millisecond early.
    const timer = setTimeout(() => this.#wake(lane), Math.min(Math.ceil(delayMs) + 1, MAX_DELAY_MS));
    this.#delayed.set(lane, { dueAt, timer });
  }

  startWorker(handler: JobHandler): JobWorker {
    const worker: Worker = { handler, running: new Set() };
    this.#workers.push(worker);
    this.#handleDue();
    return { stop: () => this.#stop(worker) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    await Promise.all(this.#workers.map((worker) => this.#stop(worker)));
  }

  #wake(lane: string): void {
    this.#delayed.delete(lane);
    this.#due.add(lane);
    this.#handleDue();
  }

  #handleDue(): void {
    for (const lane of this.#due) {
      const worker = this.#workers.shift();
      if (worker === undefined) return;
      this.#workers.push(worker);
      this.#due.delete(lane);
      const handled = worker.handler(lane).finally(() => worker.running.delete(handled));
      worker.running.add(handled);
    }
  }

  async #stop(worker: Worker): Promise<void> {
    this.#workers = this.#workers.filter((other) => other !== worker);
    await Promise.all(worker.running);
  }
}
