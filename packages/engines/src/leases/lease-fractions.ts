/** How long a lease stands without being renewed, in milliseconds of real time, unless told otherwise. */
export const DEFAULT_LEASE_DURATION_MS = 5_000;

/** Parts of the length of a lease after which each thing happens. */
export const LEASE_FRACTIONS = {
  /** Its holder renews it. */
  renewed: 1 / 3,
  /** A renewal that failed is tried again. */
  retried: 1 / 20,
  /** Others look whether it has become free. */
  looked: 1 / 10,
  /**
   * Its holder no longer counts on it. Others take it after the whole length, which they count from a later moment; the
   * rest is for whoever has to stop, and for clocks that do not run at quite the same pace.
   */
  safe: 9 / 10,
} as const;
