/** A server answers a read within so many milliseconds, or counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;

/** One of many documents, for whoever writes: nobody waits for its answer. */
export const BULK_READ_TIMEOUT_MS = 25_000;
