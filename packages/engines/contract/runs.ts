import type { LaneHandler } from "../src/job-queue/port.ts";

interface Watch {
  readonly holds: () => boolean;
  readonly resolve: () => void;
}

/** A handler that notes what is run, and does what the test says meanwhile. */
export class Runs {
  /** Lanes, in the order their runs began. */
  readonly begun: string[] = [];
  /** Milliseconds since the epoch, of the same. */
  readonly begunAt: number[] = [];
  readonly ended: string[] = [];
  /** Runs at the same time, at most. */
  most = 0;
  /** Lanes that were run twice at once. */
  readonly doubled: string[] = [];
  readonly #running = new Set<string>();
  readonly #watches = new Set<Watch>();
  readonly #during: (lane: string, signal: AbortSignal) => Promise<void> | void;

  constructor(during: (lane: string, signal: AbortSignal) => Promise<void> | void = () => undefined) {
    this.#during = during;
  }

  readonly handler: LaneHandler = async (lane, signal) => {
    if (this.#running.has(lane)) this.doubled.push(lane);
    this.#running.add(lane);
    this.most = Math.max(this.most, this.#running.size);
    this.begun.push(lane);
    this.begunAt.push(Date.now());
    this.#look();
    try {
      await this.#during(lane, signal);
    } finally {
      this.#running.delete(lane);
      this.ended.push(lane);
      this.#look();
    }
  };

  of(lane: string): number {
    return this.begun.filter((begun) => begun === lane).length;
  }

  /** Resolves when that holds; looked at whenever a run begins or ends. */
  until(holds: (runs: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#watches.add({ holds: () => holds(this), resolve });
      this.#look();
    });
  }

  #look(): void {
    for (const watch of this.#watches) {
      if (!watch.holds()) continue;
      this.#watches.delete(watch);
      watch.resolve();
    }
  }
}
