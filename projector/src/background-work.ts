import { AnotherLog, DamagedStore } from "@travel-booking/engines/event-store";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";

interface BackgroundWorkOptions {
  readonly backOff: BackoffOptions;
  /** Called once, when a store is damaged, or the log is another one: all work is aborted then. */
  readonly onFatal: (error: unknown) => void;
  /** Called for every other failure. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
}

/** Work that outlives the call that started it. Failures of an engine are retried with a back-off. */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #isFatal = false;

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  /** Aborts when the work has to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes on work that handles its own failures. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Repeats work until it succeeds, the signal aborts or it makes no sense any more. */
  async retryUntilDone(projection: string, work: () => Promise<void>): Promise<void> {
    const backOff = new Backoff(this.#options.backOff);
    while (!this.signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (this.signal.aborted || !this.reportFailure(projection, error)) return;
        await backOff.pause(this.signal);
      }
    }
  }

  /** True if a retry makes sense. */
  reportFailure(projection: string | null, error: unknown): boolean {
    if (this.#isFatal) return false;
    this.#isFatal = error instanceof DamagedStore || error instanceof AnotherLog;
    if (!this.#isFatal) {
      this.#options.onProblem({ projection, error });
      return true;
    }
    this.#stop.abort();
    this.#options.onFatal(error);
    return false;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }
}
