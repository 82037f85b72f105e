import { type RealTime, realTime as thisProcess, withTimeout } from "@travel-booking/runtime/real-time";
import type { Redis } from "ioredis";
import type { RedisConnection } from "./connection.ts";
import { RedisUnavailable, redisUnavailable } from "./problems.ts";

interface CircuitBreakerOptions {
  readonly redis: RedisConnection;
  /** Milliseconds of real time a command may take. */
  readonly deadlineMs: number;
  /** Called once per outage. */
  readonly onProblem?: ((problem: RedisUnavailable) => void) | undefined;
  readonly realTime?: Pick<RealTime, "now">;
}

/** Milliseconds of real time without commands after a failure. */
const OPEN_MS = 1_000;

/**
 * Sends commands to a Redis that may be out of reach. Each has a deadline. After a failure none is sent for a second;
 * then one probes whether Redis is back, so that only that one waits for a Redis that hangs.
 */
export class CircuitBreaker {
  readonly #redis: RedisConnection;
  readonly #deadlineMs: number;
  readonly #onProblem: ((problem: RedisUnavailable) => void) | undefined;
  readonly #realTime: Pick<RealTime, "now">;
  #problem: RedisUnavailable | undefined;
  #openUntil = 0;

  constructor({ redis, deadlineMs, onProblem, realTime = thisProcess }: CircuitBreakerOptions) {
    this.#redis = redis;
    this.#deadlineMs = deadlineMs;
    this.#onProblem = onProblem;
    this.#realTime = realTime;
  }

  /**
   * Sends one command; `runId` is that of the server that gets it.
   * @throws RedisUnavailable at once while the circuit is open, else by the deadline. The command may have been carried
   *   out.
   */
  async run<T>(command: (client: Redis, runId: string) => Promise<T>): Promise<T> {
    const runId = this.#redis.runId();
    if (runId === undefined) throw this.#failed(new RedisUnavailable("Redis is out of reach"));
    if (this.#problem !== undefined) {
      if (this.#realTime.now() < this.#openUntil) throw this.#problem;
      this.#openUntil = this.#realTime.now() + OPEN_MS;
    }
    const late = () => new RedisUnavailable(`Redis did not answer within ${this.#deadlineMs} ms`);
    try {
      const answer = await withTimeout(command(this.#redis.client, runId), this.#deadlineMs, late);
      this.#problem = undefined;
      return answer;
    } catch (error) {
      this.#openUntil = this.#realTime.now() + OPEN_MS;
      throw this.#failed(error instanceof RedisUnavailable ? error : redisUnavailable("a command failed", error));
    }
  }

  #failed(problem: RedisUnavailable): RedisUnavailable {
    if (this.#problem === undefined) this.#onProblem?.(problem);
    this.#problem = problem;
    return problem;
  }
}

/** A Lua script, which Redis runs atomically, and compiles once. */
export class Script {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  run(client: Redis, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return client.eval(this.#source, keys.length, ...keys, ...args);
  }
}
