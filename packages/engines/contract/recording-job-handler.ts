import type { JobHandler } from "../src/job-queue/index.ts";

interface Waiter {
  readonly holds: () => boolean;
  readonly resolve: () => void;
}

/** A handler that notes what is run, and does what the test says meanwhile. */
export class RecordingJobHandler {
  /** Lanes, in the order their runs began. */
  readonly started: string[] = [];
  /** Milliseconds since the epoch, of the same. */
  readonly startedAt: number[] = [];
  readonly ended: string[] = [];
  /** Runs at the same time, at most. */
  maxConcurrent = 0;
  /** Lanes that were run twice at once. */
  readonly overlapping: string[] = [];
  readonly #running = new Set<string>();
  readonly #watches = new Set<Waiter>();
  readonly #during: (lane: string, signal: AbortSignal) => Promise<void> | void;

  constructor(during: (lane: string, signal: AbortSignal) => Promise<void> | void = () => undefined) {
    this.#during = during;
  }

  readonly handler: JobHandler = async (lane, signal) => {
    if (this.#running.has(lane)) this.overlapping.push(lane);
    this.#running.add(lane);
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#running.size);
    this.started.push(lane);
    this.startedAt.push(Date.now());
    this.#checkWaiters();
    try {
      await this.#during(lane, signal);
    } finally {
      this.#running.delete(lane);
      this.ended.push(lane);
      this.#checkWaiters();
    }
  };

  runCount(lane: string): number {
    return this.started.filter((begun) => begun === lane).length;
  }

  /** Resolves when that holds; looked at whenever a run begins or ends. */
  waitUntil(holds: (runs: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#watches.add({ holds: () => holds(this), resolve });
      this.#checkWaiters();
    });
  }

  #checkWaiters(): void {
    for (const watch of this.#watches) {
      if (!watch.holds()) continue;
      this.#watches.delete(watch);
      watch.resolve();
    }
  }
}
