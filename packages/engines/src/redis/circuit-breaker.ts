import { withTimeout } from "@travel-booking/runtime/real-time";
import type { ProblemReporter, RedisUnavailable } from "./problems.ts";

/** Real milliseconds after a failure in which no command is sent. */
const OPEN_MS = 1_000;

/**
 * Sends commands to a Redis that may be out of reach. Each command has a deadline. After a failure none is sent for a
 * second. Then one command probes whether Redis is back, so that only this one waits for a Redis that hangs.
 */
export class CircuitBreaker {
  readonly #problems: ProblemReporter;
  readonly #deadlineMs: number;
  #problem: RedisUnavailable | undefined;
  #openUntil = 0;

  /** @param deadlineMs real time that a command may take. */
  constructor(problems: ProblemReporter, deadlineMs: number) {
    this.#problems = problems;
    this.#deadlineMs = deadlineMs;
  }

  /** @throws RedisUnavailable at once while the circuit is open, else by the deadline. */
  async run<T>(command: () => Promise<T>): Promise<T> {
    if (this.#problem !== undefined) {
      if (performance.now() < this.#openUntil) throw this.#problem;
      this.#openUntil = performance.now() + OPEN_MS;
    }
    const late = () => new Error(`no answer within ${this.#deadlineMs} ms`);
    try {
      const answer = await withTimeout(command(), this.#deadlineMs, late);
      if (this.#problem !== undefined) this.#problems.resolve();
      this.#problem = undefined;
      return answer;
    } catch (error) {
      this.#openUntil = performance.now() + OPEN_MS;
      this.#problem = this.#problems.report("a command failed", error);
      throw this.#problem;
    }
  }
}
