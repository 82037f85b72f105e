import { AnotherLog, DamagedStore } from "@travel-booking/engines/event-store";
import { Backoff } from "@travel-booking/runtime/real-time";

interface BackgroundWorkOptions {
  /** Called once, when a store is damaged, or the log is another one. Then all work is aborted. */
  readonly onFatal: (error: unknown) => void;
  /** Called for every other failure. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
}

/** Real time between attempts while an engine fails. */
const BACK_OFF = { initialMs: 100, maxMs: 5_000 };

/**
 * Repeats work until it succeeds or the signal aborts, and reports its failures until then. The work gets the back-off
 * between attempts and may reset it.
 */
export async function retryUntilDone(
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
  work: (backOff: Backoff) => Promise<void>,
): Promise<void> {
  const backOff = new Backoff(BACK_OFF);
  while (!signal.aborted) {
    try {
      return await work(backOff);
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      await backOff.pause(signal);
    }
  }
}

/** Work that goes on after the call that started it. Failures are reported until the work must end. */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #stop = new AbortController();
  /** Aborts when the work must end. */
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

  /** Repeats work until it succeeds or the signal aborts. */
  retryUntilDone(projection: string | null, work: (backOff: Backoff) => Promise<void>): Promise<void> {
    return retryUntilDone(this.signal, (error) => this.#reportFailure(projection, error), work);
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
