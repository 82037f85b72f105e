/** One window of one key. */
export interface Window {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Requests counted in the window, including the latest. */
  readonly count: number;
}

/** Counts in fixed windows. A key's window starts with its first request. */
export interface RateCounter {
  /** Counts a request, or `by` at once, at `now`, in the current window or a new one. Exact under concurrency. */
  increment(key: string, now: number, windowMs: number, by?: number): Window | Promise<Window>;
}
