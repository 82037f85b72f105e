interface Run {
  readonly lane: string;
  readonly takenOver: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** By `performance.now()`. */
  heldSince: number;
}

/**
 * The lanes a worker is working, by the jobs they came with. A worker that could not say for long that it still works
 * loses its lanes to others: their signals are aborted when that is told, and also when it can't be told for as long.
 */
export class LanesInHand {
  readonly #runs = new Map<string, Run>();
  readonly #lostAfterMs: number;
  #watch: NodeJS.Timeout | undefined;

  constructor(lostAfterMs: number) {
    this.#lostAfterMs = lostAfterMs;
  }

  /**
   * Waits for a run of the same lane that is under way in this worker: a queue that was emptied meanwhile does not know
   * of it.
   */
  async take(job: string, lane: string): Promise<AbortSignal> {
    for (let other = this.#runOf(lane); other !== undefined; other = this.#runOf(lane)) await other.ended.promise;
    const takenOver = new AbortController();
    this.#runs.set(job, { lane, takenOver, ended: Promise.withResolvers(), heldSince: performance.now() });
    this.#watch ??= setInterval(() => this.#loseForgotten(), this.#lostAfterMs / 4);
    return takenOver.signal;
  }

  put(job: string): void {
    this.#runs.get(job)?.ended.resolve();
    this.#runs.delete(job);
    if (this.#runs.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  hold(jobs: readonly string[]): void {
    for (const job of jobs) {
      const run = this.#runs.get(job);
      if (run !== undefined) run.heldSince = performance.now();
    }
  }

  lose(jobs: readonly string[]): void {
    for (const job of jobs)
      this.#runs.get(job)?.takenOver.abort(new Error("another worker may have taken the lane over"));
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Resolves when there are none. */
  async empty(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map((run) => run.ended.promise));
  }

  #runOf(lane: string): Run | undefined {
    return [...this.#runs.values()].find((run) => run.lane === lane);
  }

  #loseForgotten(): void {
    const limit = performance.now() - this.#lostAfterMs;
    this.lose([...this.#runs].filter(([, run]) => run.heldSince < limit).map(([job]) => job));
  }
}
