import type { Logger } from "@travel-booking/runtime";

/**
 * What the service can't go on with, wherever it is met. While the service starts, it is why the start fails; later
 * it is logged and ends the process at once, with exit code 1. Nothing is closed then: an engine that has failed to
 * write is not to be touched again, and what is stored is found by the next start as after any other sudden end.
 */
export class FatalErrorHandler {
  readonly #logger: Logger;
  readonly #whileStarting = Promise.withResolvers<never>();
  #started = false;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#whileStarting.promise.catch(() => undefined);
  }

  /** What `start` answers. @throws what it throws, or the first fault that is met meanwhile. */
  async guardStartup<Started>(start: Promise<Started>): Promise<Started> {
    const started = await Promise.race([start, this.#whileStarting.promise]);
    this.#started = true;
    return started;
  }

  /** Tells of a fault; `what` says what it keeps from going on. */
  handlerFor(what: string): (error: unknown) => void {
    return (error) => {
      if (!this.#started) return this.#whileStarting.reject(error);
      this.#logger.fatal({ err: error }, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(1);
    };
  }
}
