/** One window of one key. */
export interface Window {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Requests counted in it, the latest included. */
  readonly count: number;
}

/**
 * Counts in fixed windows. A key's window begins with its first request, so nobody's minute is cut short by the
 * clock's. What is answered holds only until the next call.
 */
export interface RateCounter {
  /** Counts one at `now`, in the running window or, where it is over, in a new one. Exact under concurrency. */
  increment(key: string, now: number, windowMs: number): Window | Promise<Window>;
}
