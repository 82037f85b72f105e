import type { RedisConnection } from "../redis/index.ts";
import type { RateCounter, Window } from "./index.ts";
import { InMemoryRateCounter } from "./memory.ts";

/**
 * A counter that all instances on one Redis share. Each instance also counts its own requests, and while Redis is out
 * of reach only these count.
 */
export class RedisRateCounter implements RateCounter {
  readonly #redis: RedisConnection;
  readonly #local = new InMemoryRateCounter();

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async increment(key: string, now: number, windowMs: number, by = 1): Promise<Window> {
    const local = this.#local.increment(key, now, windowMs, by);
    try {
      const inRedis = `${this.#redis.keyPrefix}rate:${key}`;
      const counted = await this.#redis.run((client) => client.eval(COUNT_IN_WINDOW, 1, inRedis, now, windowMs, by));
      const [startedAt, count] = counted as [number, number];
      return { startedAt, count };
    } catch {
      return local;
    }
  }
}

/**
 * Counts requests in the window of a key, and returns [its start, the count].
 *
 * KEYS: the key. ARGV: now, the length of the window, in milliseconds; the number of requests.
 * - A `now` before the start counts, too, because the clock of that instance is behind.
 * - The key expires after two windows. An instance whose clock is behind still counts in a window that is over for the
 *   server.
 */
const COUNT_IN_WINDOW = `
local now, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local startedAt = tonumber(redis.call('HGET', KEYS[1], 'startedAt'))
if startedAt and now < startedAt + length then
  return {startedAt, redis.call('HINCRBY', KEYS[1], 'count', ARGV[3])}
end
redis.call('HSET', KEYS[1], 'startedAt', ARGV[1], 'count', ARGV[3])
redis.call('PEXPIRE', KEYS[1], 2 * length)
return {now, tonumber(ARGV[3])}
`;
