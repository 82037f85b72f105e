import { LRUCache } from "lru-cache";
import { EngineUnavailable } from "../unavailable.ts";

/** Redis is out of reach, timed out, or refused a command. The command may still have been carried out. */
export class RedisUnavailable extends EngineUnavailable {
  override readonly name = "RedisUnavailable";
  override readonly engine = "Redis";
}

function messageOf(error: unknown): string {
  if (!Error.isError(error)) return "no reason given";
  // A host name with several addresses fails with an AggregateError.
  if (error.message === "" && "errors" in error && Array.isArray(error.errors))
    return error.errors.map(messageOf).join("; ");
  return error.message;
}

function withoutSecrets(message: string, password: string | undefined): string {
  const text = message.split(/,? with args/i, 1)[0] ?? "";
  return password === undefined || password === "" ? text : text.replaceAll(password, "…");
}

/** An outage has few reasons. In a long outage each is reported again after so many milliseconds. */
const TOLD = { max: 100, ttl: 600_000 };

/** Reports the problems of all connections to a Redis, each reason once per outage. */
export class ProblemReporter {
  readonly #onProblem: (problem: RedisUnavailable) => void;
  readonly #password: string | undefined;
  readonly #told = new LRUCache<string, true>(TOLD);
  #latest: RedisUnavailable | undefined;
  #muted = false;

  constructor(onProblem: (problem: RedisUnavailable) => void, password: string | undefined) {
    this.#onProblem = onProblem;
    this.#password = password;
  }

  /** Undefined while there is no problem. */
  get latest(): RedisUnavailable | undefined {
    return this.#latest;
  }

  /**
   * A driver error without its secrets. A server may repeat the arguments of a command in its error, and the first
   * command carries the password.
   */
  describe(what: string, error: unknown): RedisUnavailable {
    return new RedisUnavailable(`Redis: ${what}: ${withoutSecrets(messageOf(error), this.#password)}`);
  }

  report(what: string, error: unknown): RedisUnavailable {
    const problem = this.describe(what, error);
    this.#latest = problem;
    if (this.#muted || this.#told.has(problem.message)) return problem;
    this.#told.set(problem.message, true);
    this.#onProblem(problem);
    return problem;
  }

  /** The outage is over. */
  resolve(): void {
    this.#latest = undefined;
    this.#told.clear();
  }

  mute(): void {
    this.#muted = true;
  }
}
