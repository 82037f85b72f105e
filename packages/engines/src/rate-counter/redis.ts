import { CircuitBreaker, type RedisConnection, type RedisUnavailable, Script } from "../redis/index.ts";
import type { RateCounter, Window } from "./index.ts";
import { InMemoryRateCounter } from "./memory.ts";

export interface RedisRateCounterOptions {
  /** Redis can't be asked; told once per outage. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Milliseconds of real time Redis is waited for; 250 unless told. */
  readonly deadlineMs?: number;
}

/** Real time: a request waits no longer for its count. */
const DEADLINE_MS = 250;

/**
 * Shared by all instances on one Redis. Each counts its own requests along: while Redis is away a limit goes on with
 * those, and with all again as soon as Redis answers.
 */
export class RedisRateCounter implements RateCounter {
  readonly #circuitBreaker: CircuitBreaker;
  readonly #keyPrefix: string;
  readonly #local = new InMemoryRateCounter();

  constructor(redis: RedisConnection, { onProblem, deadlineMs = DEADLINE_MS }: RedisRateCounterOptions = {}) {
    this.#circuitBreaker = new CircuitBreaker({ redis, deadlineMs, onProblem });
    this.#keyPrefix = `${redis.keyPrefix}rate:`;
  }

  async increment(key: string, now: number, windowMs: number): Promise<Window> {
    const { startedAt, count } = this.#local.increment(key, now, windowMs);
    try {
      const counted = await this.#circuitBreaker.run((client) =>
        countInWindow.run(client, [this.#keyPrefix + key], [now, windowMs]),
      );
      return windowOf(counted);
    } catch {
      return { startedAt, count };
    }
  }
}

function windowOf(counted: unknown): Window {
  const [startedAt, count] = counted as [number, number];
  return { startedAt, count };
}

/**
 * Counts one in the window of a key, and answers [its beginning, the count].
 *
 * KEYS: the key. ARGV: now, the window's length; milliseconds.
 * - A `now` before the beginning counts, too: it is of an instance whose clock is behind.
 * - The key outlives its window by another length: for an instance whose clock is behind, it is still running when it is
 *   over for the server.
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
