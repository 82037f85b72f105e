import { STATUS_CODES } from "node:http";
import { COMMON_CODES } from "@travel-booking/api-contract";
import { checkRequest, type SentRequest } from "./check-request.ts";
import type { MatchedOperation } from "./find-operation.ts";
import type { OpenApiChecker } from "./openapi-checker.ts";
import { describeResponse, type TestResponse } from "./test-response.ts";

const REVEALING = /\n\s+at |node_modules|\.[jt]s:\d|Error:|file:\/\//;
const JSON_TYPE = "application/json";
/** Of HTTP itself, or of the proxy on the way. */
const UNDOCUMENTED_HEADERS = [
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "server",
  "transfer-encoding",
  "vary",
];
/** What answers of no operation may carry besides. */
const UNMATCHED_ROUTE_CODES: Readonly<Record<number, readonly string[]>> = {
  ...COMMON_CODES,
  404: ["path_not_found"],
  405: ["method_not_allowed"],
};
const UNMATCHED_ROUTE_HEADERS = [
  "allow",
  "cache-control",
  "retry-after",
  "service-error-code",
  "service-version",
  "www-authenticate",
  "x-content-type-options",
  "x-request-id",
];

/**
 * Holds for every answer of the API, whatever was asked: as the service's own interface description says, with a
 * documented status, the headers that belong to it and no others, a body of exactly the documented shape; and nothing
 * about the service's inside. What it took was what the description allows. 5xx is never an answer here.
 * @throws Error what is wrong with it.
 */
export function checkResponse(answer: TestResponse, sent: SentRequest, published: OpenApiChecker): void {
  const wrong = (what: string) => new Error(`${what}: ${describeResponse(answer)}`);
  const { method, path, status, headers, text } = answer;
  if (status >= 500) throw wrong("a failure");
  if (!headers.has("x-request-id")) throw wrong("no X-Request-Id");
  if (REVEALING.test(text)) throw wrong("it reveals its inside");

  const found = published.find(method, path);
  const problem =
    found === undefined
      ? unmatchedRouteProblem(answer, published)
      : (responseProblem(answer, found, published) ?? checkRequest(answer, sent, found, published));
  if (problem !== undefined) throw wrong(problem);
  if (sent.credential && ![400, 401, 429].includes(status) && found?.operation.operationId !== "getInterface") {
    if (!headers.has("service-version")) throw wrong("no Service-Version");
  }
  const limits = [...headers.keys()].filter((name) => name.startsWith("x-ratelimit-"));
  if (limits.length !== 0 && limits.length !== 3) throw wrong("some rate-limit headers only");
  // fetch unpacks a compressed body.
  const isAsSent = method !== "HEAD" && !headers.has("content-encoding");
  if (isAsSent && headers.get("content-type")?.startsWith(JSON_TYPE) === true) {
    if (headers.get("content-length") !== String(Buffer.byteLength(text))) throw wrong("no Content-Length");
  }
}

/** What is wrong with the answer of an operation. */
function responseProblem(answer: TestResponse, found: MatchedOperation, published: OpenApiChecker): string | undefined {
  const { method, status, headers, text, body } = answer;
  const documented = published.answer(found, status);
  if (documented === undefined) return "an undocumented status";
  const { answer: told, pointer } = documented;
  for (const [name, header] of Object.entries(told.headers)) {
    const value = headers.get(name);
    if (value === null) {
      if (published.resolve(header).required) return `no ${name}`;
      continue;
    }
    const problem = published.headerProblem(pointer, name, value, header);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  const known = Object.keys(told.headers).map((name) => name.toLowerCase());
  const others = [...headers.keys()].filter((name) => !known.includes(name) && !UNDOCUMENTED_HEADERS.includes(name));
  if (others.length > 0) return `undocumented headers ${others.join(", ")}`;
  if (method === "HEAD" || told.content === undefined) return text === "" ? undefined : "a body where none belongs";
  const type = headers.get("content-type") ?? "";
  const [bare = ""] = type.split(";");
  if (told.content[bare] === undefined) return `an undocumented type of body, ${type}`;
  if (bare !== JSON_TYPE) return undefined;
  if (type !== `${JSON_TYPE}; charset=utf-8`) return "JSON without a character set";
  const problem = published.bodyProblem(pointer, bare, body);
  if (problem !== undefined) return `not of its shape (${problem})`;
  return status < 400 || "error_description" in (body as object) ? undefined : errorProblem(answer);
}

/** What is wrong with the answer to a request that is for nothing the interface has. */
function unmatchedRouteProblem(answer: TestResponse, published: OpenApiChecker): string | undefined {
  const { method, status, headers, text, body } = answer;
  if (![400, 401, 403, 404, 405, 429].includes(status)) return "an undocumented status";
  const code = headers.get("service-error-code") ?? "none";
  if (UNMATCHED_ROUTE_CODES[status]?.includes(code) !== true) return `an undocumented code, ${code}`;
  if (status === 405 && !headers.has("allow")) return "no Allow";
  if (status === 401 && !headers.has("www-authenticate")) return "no WWW-Authenticate";
  const others = [...headers.keys()].filter(
    (name) =>
      !UNMATCHED_ROUTE_HEADERS.includes(name) &&
      !UNDOCUMENTED_HEADERS.includes(name) &&
      !name.startsWith("x-ratelimit-"),
  );
  if (others.length > 0) return `undocumented headers ${others.join(", ")}`;
  if (method === "HEAD") return text === "" ? undefined : "a body where none belongs";
  const problem = published.schemaProblem("/components/schemas/ErrorResponse", body);
  return problem === undefined ? errorProblem(answer) : `not an ErrorResponse (${problem})`;
}

/** What a schema can't say about an error. */
function errorProblem({ status, body }: TestResponse): string | undefined {
  const { statusCode, message, error } = body as { statusCode: number; message: string | string[]; error?: string };
  if (statusCode !== status) return "another statusCode in the body";
  if (error !== STATUS_CODES[status]) return "another name of the status";
  const named = [message].flat();
  if (named.length === 0 || named.includes("")) return "an empty message";
  return status === 400 && typeof message === "string" ? "400 without a list of problems" : undefined;
}
