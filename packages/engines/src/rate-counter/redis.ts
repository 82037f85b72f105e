import { CircuitBreaker, type RedisConnection, type RedisUnavailable, Script } from "../redis/index.ts";
import type { RateCounter, Window } from "./index.ts";
import { InMemoryRateCounter } from "./memory.ts";

export interface RedisRateCounterOptions {
  /** Called once per outage of Redis. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Milliseconds of real time to wait for Redis; by default 250. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 250;

/**
 * Shared by all instances on one Redis. Each instance also counts its own requests, and limits go by those while Redis
 * is out of reach.
 */
export class RedisRateCounter implements RateCounter {
  readonly #circuitBreaker: CircuitBreaker;
  readonly #keyPrefix: string;
  readonly #local = new InMemoryRateCounter();

  constructor(redis: RedisConnection, { onProblem, deadlineMs = DEFAULT_DEADLINE_MS }: RedisRateCounterOptions = {}) {
    this.#circuitBreaker = new CircuitBreaker({ redis, deadlineMs, onProblem });
    this.#keyPrefix = `${redis.keyPrefix}rate:`;
  }

  async increment(key: string, now: number, windowMs: number): Promise<Window> {
    const local = this.#local.increment(key, now, windowMs);
    try {
      const counted = await this.#circuitBreaker.run((client) =>
        countInWindow.run(client, [this.#keyPrefix + key], [now, windowMs]),
      );
      const [startedAt, count] = counted as [number, number];
      return { startedAt, count };
    } catch {
      return local;
    }
  }
}

/**
 * Counts one in the window of a key, and returns [its start, the count].
 *
 * KEYS: the key. ARGV: now, the length of the window; milliseconds.
 * - A `now` before the start counts, too: the clock of that instance is behind.
 * - The key expires after two windows: for an instance whose clock is behind, the window is still running when it is
 * over for the server.
 */
const countInWindow = new Script(`
local now, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local startedAt = tonumber(redis.call('HGET', KEYS[1], 'startedAt'))
if startedAt and now < startedAt + length then
  return {startedAt, redis.call('HINCRBY', KEYS[1], 'count', 1)}
end
redis.call('HSET', KEYS[1], 'startedAt', ARGV[1], 'count', 1)
redis.call('PEXPIRE', KEYS[1], 2 * length)
return {now, 1}
`);
