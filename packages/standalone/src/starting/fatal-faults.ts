import type { Logger, Shutdown } from "@travel-booking/runtime";

/**
 * What the service can't go on with, wherever it is met. While the service starts, it is why the start fails; later
 * it is logged and ends the service with exit code 1.
 */
export class FatalFaults {
  readonly #logger: Logger;
  readonly #shutdown: Shutdown;
  readonly #whileStarting = Promise.withResolvers<never>();
  #started = false;

  constructor(logger: Logger, shutdown: Shutdown) {
    this.#logger = logger;
    this.#shutdown = shutdown;
    this.#whileStarting.promise.catch(() => undefined);
  }

  /** What `start` answers. @throws what it throws, or the first fault that is met meanwhile. */
  async during<Started>(start: Promise<Started>): Promise<Started> {
    const started = await Promise.race([start, this.#whileStarting.promise]);
    this.#started = true;
    return started;
  }

  /** Tells of a fault that a service may outlive once it runs, but can't start with; false where it runs. */
  endsStart(error: Error): boolean {
    this.#whileStarting.reject(error);
    return !this.#started;
  }

  /** Tells of a fault; `what` says what it keeps from going on. */
  report(what: string): (error: Error) => void {
    return (error) => {
      if (!this.#started) return this.#whileStarting.reject(error);
      this.#logger.fatal({ err: error }, `${what}: ${error.message}`);
      void this.#shutdown.stop(what, 1);
    };
  }
}
