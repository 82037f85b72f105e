/** The service refused: its own words, one entry per problem. */
export class OperatorRefused extends Error {
  override readonly name = "OperatorRefused";
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.reasons = reasons;
  }

  /** From an ErrorResponse body; from the bare status where the body is something else. */
  static of(status: number, body: string): OperatorRefused {
    try {
      const { message } = JSON.parse(body) as { readonly message?: unknown };
      if (typeof message === "string") return new OperatorRefused([message]);
      if (Array.isArray(message) && message.length > 0) return new OperatorRefused(message.map(String));
    } catch {
      // Not JSON: the status alone has to do.
    }
    return new OperatorRefused([`the operator interface answered with status ${status}`]);
  }
}

/** Nobody spoke the operator interface at that address. */
export class OperatorUnreachable extends Error {
  override readonly name = "OperatorUnreachable";

  constructor(url: URL, why: string) {
    super(`the operator interface at ${url.origin} is not reachable (${why}): is the service running there?`);
  }
}
