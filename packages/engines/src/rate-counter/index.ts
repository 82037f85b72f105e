/** One window of one key. */
export interface Window {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Requests counted in it, the latest included. */
  readonly count: number;
}

/** Counts in fixed windows. A key's window starts with its first request. */
export interface RateCounter {
  /** Counts one at `now`, in the running window or in a new one. Exact under concurrency. */
  increment(key: string, now: number, windowMs: number): Window | Promise<Window>;
}
