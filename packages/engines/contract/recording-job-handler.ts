import type { JobHandler } from "../src/job-queue/index.ts";

interface Waiter {
  readonly holds: () => boolean;
  readonly resolve: () => void;
}

/** A handler that records its runs and does what the test sets. */
export class RecordingJobHandler {
  /** Lanes, in the order of their runs' starts. */
  readonly started: string[] = [];
  /** Milliseconds since the epoch of the same starts. */
  readonly startedAt: number[] = [];
  readonly ended: string[] = [];
  readonly #watches = new Set<Waiter>();
  readonly #during: (lane: string) => Promise<void> | void;

  constructor(during: (lane: string) => Promise<void> | void = () => undefined) {
    this.#during = during;
  }

  readonly handler: JobHandler = async (lane) => {
    this.started.push(lane);
    this.startedAt.push(Date.now());
    this.#checkWaiters();
    await this.#during(lane);
    this.ended.push(lane);
    this.#checkWaiters();
  };

  runCount(lane: string): number {
    return this.started.filter((begun) => begun === lane).length;
  }

  /** Resolves when the condition holds; checks it at every start and end of a run. */
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
