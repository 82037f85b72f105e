import type { Schema } from "@travel-booking/api-contract";
import type { MatchedOperation } from "./find-operation.ts";
import type { OpenApiChecker } from "./openapi-checker.ts";
import type { TestResponse } from "./test-response.ts";

/** What was sent, as far as it is looked at again. */
export interface SentRequest {
  /** Whether with a credential. */
  readonly credential: boolean;
  /** JSON, or text and bytes as they were. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a successful request had that the published interface does not allow; undefined: nothing. */
export function checkRequest(
  { path, status }: TestResponse,
  { body, headers = {} }: SentRequest,
  { operation, pointer }: MatchedOperation,
  published: OpenApiChecker,
): string | undefined {
  if (status >= 300) return undefined;
  const type = headers["content-type"] ?? "application/json";
  const documented = operation.requestBody?.content[type];
  if (documented !== undefined && type === "application/json" && body !== undefined) {
    const value = typeof body === "string" ? JSON.parse(body || "{}") : body instanceof Uint8Array ? undefined : body;
    const sent = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
    const problem = sent === undefined ? undefined : published.bodyProblem(`${pointer}/requestBody`, type, sent);
    if (problem !== undefined) return `it took a body it should not (${problem})`;
  }
  return parametersProblem(path, operation, pointer, published);
}

function parametersProblem(
  path: string,
  { parameters }: MatchedOperation["operation"],
  pointer: string,
  published: OpenApiChecker,
): string | undefined {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  for (const [name, value] of query) {
    const index = parameters.findIndex((parameter) => {
      const told = published.resolve(parameter);
      return told.in === "query" && told.name === name;
    });
    if (index === -1) return `it took the parameter ${name}`;
    const { schema } = published.resolve(parameters[index] as never) as { readonly schema: Schema };
    const list = schema.type === "array" ? query.getAll(name).flatMap((each) => each.split(",")) : undefined;
    const typed = list ?? (schema.type === "integer" ? Number(value) : value);
    const problem = published.schemaProblem(`${pointer}/parameters/${index}/schema`, typed);
    if (problem !== undefined) return `it took ${name}=${value} (${problem})`;
  }
  return undefined;
}
