import type { RedisOptions } from "ioredis";

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;

/** Milliseconds until the next attempt to connect: for ever, at growing intervals, not all processes at the same time. */
export function reconnectDelay(attempt: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 10), MAX_RETRY_MS);
  return longest * (0.75 + Math.random() / 4);
}

/**
 * For commands somebody waits for: one that can't be sent now fails now, one under way when the connection is lost fails
 * then, and none takes longer than half a second. None is kept to be sent later, when nobody waits for it any more. A
 * connection on which nothing comes back is given up for a new one: it may lead nowhere though nobody has closed it.
 */
export const FAIL_FAST_OPTIONS = {
  connectTimeout: 2_000,
  commandTimeout: 500,
  socketTimeout: 2_000,
  disconnectTimeout: 500,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  keepAlive: 10_000,
  retryStrategy: reconnectDelay,
} satisfies RedisOptions;
