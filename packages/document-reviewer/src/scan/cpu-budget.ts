/**
 * Processor time of this process that is left for something: what takes more is given up, so that everything comes to an
 * end. Of processor time, so that a picture is read on a busy machine as well as on an idle one.
 */
export class CpuBudget {
  readonly #until: number;

  /** @param milliseconds of all its threads together, from now. */
  constructor(milliseconds: number) {
    this.#until = cpuTimeMs() + milliseconds;
  }

  /** Milliseconds, none once it is at an end; at least as much real time on one thread. */
  get remainingMs(): number {
    return Math.max(0, this.#until - cpuTimeMs());
  }

  get isSpent(): boolean {
    return this.remainingMs === 0;
  }
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
