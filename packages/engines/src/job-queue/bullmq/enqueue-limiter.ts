interface PendingEnqueue {
  /** By `performance.now()`. */
  dueAt: number;
  readonly completion: PromiseWithResolvers<void>;
}

const MAX_IN_FLIGHT = 100;

/**
 * Sends wake-ups, so many at a time: in a burst of thousands each would else wait for all, and be late. Those of one lane
 * that wait for their turn are sent as one. When one fails, the others that wait would, too, and fail with it.
 */
export class EnqueueLimiter {
  readonly #send: (lane: string, delayMs: number) => Promise<void>;
  readonly #waiting = new Map<string, PendingEnqueue>();
  #inFlight = 0;

  constructor(enqueue: (lane: string, delayMs: number) => Promise<void>) {
    this.#send = enqueue;
  }

  send(lane: string, delayMs: number): Promise<void> {
    const waiting = this.#waiting.get(lane) ?? { dueAt: Number.POSITIVE_INFINITY, completion: Promise.withResolvers() };
    waiting.dueAt = Math.min(waiting.dueAt, performance.now() + delayMs);
    this.#waiting.set(lane, waiting);
    this.#next();
    return waiting.completion.promise;
  }

  #next(): void {
    for (const [lane, waiting] of this.#waiting) {
      if (this.#inFlight >= MAX_IN_FLIGHT) return;
      this.#waiting.delete(lane);
      this.#enqueueNow(lane, waiting);
    }
  }

  async #enqueueNow(lane: string, { dueAt, completion }: PendingEnqueue): Promise<void> {
    this.#inFlight += 1;
    try {
      await this.#send(lane, Math.max(0, dueAt - performance.now()));
      completion.resolve();
    } catch (error) {
      completion.reject(error);
      for (const waiting of this.#waiting.values()) waiting.completion.reject(error);
      this.#waiting.clear();
    }
    this.#inFlight -= 1;
    this.#next();
  }
}
