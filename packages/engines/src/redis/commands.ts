import { createHash } from "node:crypto";
import { type RealTime, realTime as thisProcess, withTimeout } from "@travel-booking/runtime/real-time";
import type { Redis } from "ioredis";
import type { RedisConnection } from "./connection.ts";
import { RedisUnavailable, redisUnavailable } from "./problems.ts";

interface CircuitBreakerOptions {
  readonly redis: RedisConnection;
  /** Milliseconds of real time a command may take. */
  readonly deadlineMs: number;
  /** Told once per outage. */
  readonly onProblem?: ((problem: RedisUnavailable) => void) | undefined;
  readonly realTime?: Pick<RealTime, "now">;
}

/** Milliseconds of real time a Redis that failed is left alone for. */
const OPEN_MS = 1_000;

/**
 * The way to a Redis that may be away: each command has a deadline, and after a failure none is sent for a second, so
 * that nobody waits for a Redis that hangs but the one that looks whether it is back.
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
   * Sends one command; `runId` is the server's that gets it.
   * @throws RedisUnavailable at once while Redis is away, else by the deadline. It may have been carried out.
   */
  async run<T>(command: (client: Redis, runId: string) => Promise<T>): Promise<T> {
    const runId = this.#redis.runId();
    if (runId === undefined) throw this.#failed(new RedisUnavailable("Redis is out of reach"));
    if (this.#problem !== undefined) {
      if (this.#realTime.now() < this.#openUntil) throw this.#problem;
      this.#openUntil = this.#realTime.now() + OPEN_MS;
    }
    try {
      const answer = await withTimeout(command(this.#redis.client, runId), this.#deadlineMs, () =>
        this.#timeoutError(),
      );
      this.#problem = undefined;
      return answer;
    } catch (error) {
      this.#openUntil = this.#realTime.now() + OPEN_MS;
      throw this.#failed(error instanceof RedisUnavailable ? error : redisUnavailable("a command failed", error));
    }
  }

  #timeoutError(): RedisUnavailable {
    return new RedisUnavailable(`Redis did not answer within ${this.#deadlineMs} ms`);
  }

  #failed(problem: RedisUnavailable): RedisUnavailable {
    if (this.#problem === undefined) this.#onProblem?.(problem);
    this.#problem = problem;
    return problem;
  }
}

/** A Lua script: what it does happens at once for everybody. Sent in full only to a server that does not know it. */
export class Script {
  readonly #source: string;
  readonly #sha: string;

  constructor(source: string) {
    this.#source = source;
    this.#sha = createHash("sha1").update(source).digest("hex");
  }

  async run(client: Redis, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await client.evalsha(this.#sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(Error.isError(error) && error.message.startsWith("NOSCRIPT"))) throw error;
      return client.eval(this.#source, keys.length, ...keys, ...args);
    }
  }
}
