/** One request's eye on the events of its account. */
export class EventWatch {
  readonly #ended: () => void;
  #isNotified = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** Nothing is noticed any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves when an event became visible since the watch began, or since this was last asked; at the latest after so
   * many milliseconds of real time, when the signal aborts, or when the watch is closed.
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isNotified || this.#isClosed || signal.aborted) {
      this.#isNotified = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#wake = () => undefined;
        this.#isNotified = false;
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      signal.addEventListener("abort", end, { once: true });
      this.#wake = end;
    });
  }

  /** An event of the account has become visible. */
  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The request is done with it. */
  end(): void {
    this.#ended();
  }
}
