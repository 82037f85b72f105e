import type { JobHandler } from "../port.ts";

/** How many lanes a worker of this process has in its hands. */
export class InMemoryJobWorker {
  readonly handler: JobHandler;
  readonly #concurrency: number;
  readonly #stopped = Promise.withResolvers<void>();
  #running = 0;
  #stopping = false;

  constructor(handler: JobHandler, concurrency: number) {
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
    this.#resolveIfIdle();
  }

  stop(): Promise<void> {
    this.#stopping = true;
    this.#resolveIfIdle();
    return this.#stopped.promise;
  }

  #resolveIfIdle(): void {
    if (this.#stopping && this.#running === 0) this.#stopped.resolve();
  }
}
