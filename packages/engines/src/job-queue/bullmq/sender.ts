interface Waiting {
  /** By `performance.now()`. */
  dueAt: number;
  readonly kept: PromiseWithResolvers<void>;
}

const AT_A_TIME = 100;

/**
 * Sends wake-ups, so many at a time: in a burst of thousands each would else wait for all, and be late. Those of one lane
 * that wait for their turn are sent as one. When one fails, the others that wait would, too, and fail with it.
 */
export class Sender {
  readonly #send: (lane: string, delayMs: number) => Promise<void>;
  readonly #waiting = new Map<string, Waiting>();
  #underWay = 0;

  constructor(send: (lane: string, delayMs: number) => Promise<void>) {
    this.#send = send;
  }

  send(lane: string, delayMs: number): Promise<void> {
    const waiting = this.#waiting.get(lane) ?? { dueAt: Number.POSITIVE_INFINITY, kept: Promise.withResolvers() };
    waiting.dueAt = Math.min(waiting.dueAt, performance.now() + delayMs);
    this.#waiting.set(lane, waiting);
    this.#next();
    return waiting.kept.promise;
  }

  #next(): void {
    for (const [lane, waiting] of this.#waiting) {
      if (this.#underWay >= AT_A_TIME) return;
      this.#waiting.delete(lane);
      this.#deliver(lane, waiting);
    }
  }

  async #deliver(lane: string, { dueAt, kept }: Waiting): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#send(lane, Math.max(0, dueAt - performance.now()));
      kept.resolve();
    } catch (error) {
      kept.reject(error);
      for (const waiting of this.#waiting.values()) waiting.kept.reject(error);
      this.#waiting.clear();
    }
    this.#underWay -= 1;
    this.#next();
  }
}
