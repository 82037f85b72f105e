import type { LaneHandler } from "../port.ts";

/** How many lanes a worker of this process has in its hands. */
export class MemoryLaneWorker {
  readonly handler: LaneHandler;
  readonly #concurrency: number;
  readonly #stopped = Promise.withResolvers<void>();
  #running = 0;
  #stopping = false;

  constructor(handler: LaneHandler, concurrency: number) {
    this.handler = handler;
    this.#concurrency = concurrency;
  }

  get isFree(): boolean {
    return !this.#stopping && this.#running < this.#concurrency;
  }

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    this.#look();
  }

  stop(): Promise<void> {
    this.#stopping = true;
    this.#look();
    return this.#stopped.promise;
  }

  #look(): void {
    if (this.#stopping && this.#running === 0) this.#stopped.resolve();
  }
}
