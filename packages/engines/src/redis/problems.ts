import { type RedisUnavailable, unavailable } from "./redis-unavailable.ts";

/** Tells what keeps Redis from being used: once per outage, and again when the reason changes. */
export class Problems {
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

  tell(what: string, error: unknown): void {
    const problem = unavailable(what, error, this.#password);
    if (!this.#silent && problem.message !== this.#latest?.message) this.#onProblem?.(problem);
    this.#latest = problem;
  }

  over(): void {
    this.#latest = undefined;
  }

  silence(): void {
    this.#silent = true;
  }
}
