import { type RedisUnavailable, redisUnavailable } from "./redis-unavailable.ts";

/** Tells what keeps Redis from being used: once per outage, and again when the reason changes. */
export class ProblemReporter {
  readonly #onProblem: ((problem: RedisUnavailable) => void) | undefined;
  readonly #password: string | undefined;
  #latest: RedisUnavailable | undefined;
  #silent = false;

  constructor(onProblem: ((problem: RedisUnavailable) => void) | undefined, password: string | undefined) {
    this.#onProblem = onProblem;
    this.#password = password;
  }

  /** Undefined where nothing is wrong. */
  get latest(): RedisUnavailable | undefined {
    return this.#latest;
  }

  report(what: string, error: unknown): void {
    const problem = redisUnavailable(what, error, this.#password);
    if (!this.#silent && problem.message !== this.#latest?.message) this.#onProblem?.(problem);
    this.#latest = problem;
  }

  resolve(): void {
    this.#latest = undefined;
  }

  mute(): void {
    this.#silent = true;
  }
}
