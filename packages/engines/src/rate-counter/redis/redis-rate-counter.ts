import { CircuitBreaker, type RedisConnection, type RedisUnavailable } from "../../redis/index.ts";
import { InMemoryRateCounter } from "../memory/in-memory-rate-counter.ts";
import type { RateCounter, Window } from "../port.ts";
import { countInWindow } from "./count-in-window.ts";

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
