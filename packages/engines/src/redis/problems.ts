import { EngineUnavailable } from "../unavailable.ts";

/** Redis is out of reach, did not answer in time or refused: what was asked of it may or may not have been done. */
export class RedisUnavailable extends EngineUnavailable {
  override readonly name = "RedisUnavailable";
  override readonly engine = "Redis";
}

/**
 * What a driver's error says, without what must not be read by others: a server may repeat the arguments of a command
 * in its error, the driver keeps them beside it, and those of the first command are the password.
 */
export function redisUnavailable(what: string, error: unknown, password?: string): RedisUnavailable {
  return new RedisUnavailable(`Redis: ${what}: ${withoutSecrets(messageOf(error), password)}`);
}

function messageOf(error: unknown): string {
  if (!Error.isError(error)) return "no reason given";
  // Where a name has several addresses, each has failed in its own way.
  if (error.message === "" && "errors" in error && Array.isArray(error.errors))
    return error.errors.map(messageOf).join("; ");
  return error.message;
}

function withoutSecrets(message: string, password: string | undefined): string {
  const said = message.split(/,? with args/i, 1)[0] ?? "";
  return password === undefined || password === "" ? said : said.replaceAll(password, "…");
}

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
