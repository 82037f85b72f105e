interface ActiveJob {
  readonly key: string;
  readonly lockLost: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** By `performance.now()`. */
  lockedSince: number;
}

/**
 * The lanes a worker is working, by the jobs they came with. A worker that could not say for long that it still works
 * loses its lanes to others: their signals are aborted when that is told, and also when it can't be told for as long.
 */
export class ActiveJobs {
  readonly #runs = new Map<string, ActiveJob>();
  readonly #lockMs: number;
  #lockTimer: NodeJS.Timeout | undefined;

  constructor(lostAfterMs: number) {
    this.#lockMs = lostAfterMs;
  }

  /**
   * Waits for a run of the same lane that is under way in this worker: a queue that was emptied meanwhile does not know
   * of it.
   */
  async start(job: string, lane: string): Promise<AbortSignal> {
    for (let other = this.#runOf(lane); other !== undefined; other = this.#runOf(lane)) await other.ended.promise;
    const takenOver = new AbortController();
    this.#runs.set(job, {
      key: lane,
      lockLost: takenOver,
      ended: Promise.withResolvers(),
      lockedSince: performance.now(),
    });
    this.#lockTimer ??= setInterval(() => this.#loseExpiredLocks(), this.#lockMs / 4);
    return takenOver.signal;
  }

  finish(job: string): void {
    this.#runs.get(job)?.ended.resolve();
    this.#runs.delete(job);
    if (this.#runs.size > 0) return;
    clearInterval(this.#lockTimer);
    this.#lockTimer = undefined;
  }

  lockRenewed(jobs: readonly string[]): void {
    for (const job of jobs) {
      const run = this.#runs.get(job);
      if (run !== undefined) run.lockedSince = performance.now();
    }
  }

  lockLost(jobs: readonly string[]): void {
    for (const job of jobs)
      this.#runs.get(job)?.lockLost.abort(new Error("the lock was lost: another worker may have taken the job over"));
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Resolves when there are none. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map((run) => run.ended.promise));
  }

  #runOf(lane: string): ActiveJob | undefined {
    return [...this.#runs.values()].find((run) => run.key === lane);
  }

  #loseExpiredLocks(): void {
    const limit = performance.now() - this.#lockMs;
    this.lockLost([...this.#runs].filter(([, run]) => run.lockedSince < limit).map(([job]) => job));
  }
}
