import { AnotherLog, DamagedStore } from "@travel-booking/engines/event-store";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";

interface BackgroundWorkOptions {
  readonly backOff: BackoffOptions;
  /** Called once, when a store is damaged, or the log is another one: all work is aborted then. */
  readonly onFatal: (error: unknown) => void;
  /** Called for every other failure. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
}

/** Work that outlives the call that started it. Failures are reported until it has to end. */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #stop = new AbortController();
  /** Aborts when the work has to end. */
  readonly signal = this.#stop.signal;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#reportFailure(null, error))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /**
   * Repeats work until it succeeds, the signal aborts or it makes no sense any more. The back-off between failures is passed
   * to the work, which may reset it.
   */
  async retryUntilDone(projection: string | null, work: (backOff: Backoff) => Promise<void>): Promise<void> {
    const backOff = new Backoff(this.#options.backOff);
    while (!this.signal.aborted) {
      try {
        return await work(backOff);
      } catch (error) {
        this.#reportFailure(projection, error);
        await backOff.pause(this.signal);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #reportFailure(projection: string | null, error: unknown): void {
    if (this.signal.aborted) return;
    if (error instanceof DamagedStore || error instanceof AnotherLog) {
      this.#stop.abort();
      this.#options.onFatal(error);
    } else {
      this.#options.onProblem({ projection, error });
    }
  }
}
