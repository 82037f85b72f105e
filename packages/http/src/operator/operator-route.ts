/** A request of an operator, past the token. */
export interface OperatorRequest {
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly requestId: string;
}

/** One JSON value, or JSON lines written as they come. */
export type OperatorResponse =
  | { readonly status: number; readonly body: unknown }
  | { readonly lines: AsyncIterable<unknown> };

/** One operation of the operator interface. */
export interface OperatorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Express path, for example `/operator/accounts/:id/suspend`. */
  readonly path: string;
  readonly handle: (request: OperatorRequest) => Promise<OperatorResponse>;
}

/** A refusal an operator reads: status, and one line per problem. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly status: number;
  readonly problems: readonly string[];

  constructor(status: 400 | 404 | 409 | 422 | 503, ...problems: readonly string[]) {
    super(problems.join("; "));
    this.status = status;
    this.problems = problems;
  }
}
