import { EngineUnavailable } from "../unavailable.ts";

/** Redis is out of reach, timed out or refused a command, which may have been carried out all the same. */
export class RedisUnavailable extends EngineUnavailable {
  override readonly name = "RedisUnavailable";
  override readonly engine = "Redis";
}

/**
 * The message of a driver error without its secrets: a server may repeat the arguments of a command in its error, and
 * those of the first command are the password.
 */
export function redisUnavailable(what: string, error: unknown, password?: string): RedisUnavailable {
  return new RedisUnavailable(`Redis: ${what}: ${withoutSecrets(messageOf(error), password)}`);
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

/** Reports a problem once per outage, and again when the reason changes. */
export class ProblemReporter {
  readonly #onProblem: ((problem: RedisUnavailable) => void) | undefined;
  readonly #password: string | undefined;
  #latest: RedisUnavailable | undefined;
  #muted = false;

  constructor(onProblem: ((problem: RedisUnavailable) => void) | undefined, password: string | undefined) {
    this.#onProblem = onProblem;
    this.#password = password;
  }

  /** Undefined while there is no problem. */
  get latest(): RedisUnavailable | undefined {
    return this.#latest;
  }

  report(what: string, error: unknown): void {
    const problem = redisUnavailable(what, error, this.#password);
    if (!this.#muted && problem.message !== this.#latest?.message) this.#onProblem?.(problem);
    this.#latest = problem;
  }

  resolve(): void {
    this.#latest = undefined;
  }

  mute(): void {
    this.#muted = true;
  }
}
