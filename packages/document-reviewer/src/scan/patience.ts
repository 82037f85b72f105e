/**
 * Processor time of this process that is left for something: what takes more is given up, so that everything comes to an
 * end. Of processor time, so that a picture is read on a busy machine as well as on an idle one.
 */
export class Patience {
  readonly #until: number;

  /** @param milliseconds of all its threads together, from now. */
  constructor(milliseconds: number) {
    this.#until = spentMs() + milliseconds;
  }

  /** Milliseconds, none once it is at an end; at least as much real time on one thread. */
  get left(): number {
    return Math.max(0, this.#until - spentMs());
  }

  get isAtEnd(): boolean {
    return this.left === 0;
  }
}

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
