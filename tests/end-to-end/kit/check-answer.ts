import { STATUS_CODES } from "node:http";
import { errorResponseSchema, type Operation, oauthErrorSchema } from "@travel-booking/api-contract";
import type { ZodType } from "zod";
import { type Answer, described } from "./answer.ts";
import { findOperation } from "./find-operation.ts";

/** Every endpoint can answer these (API document, section 4). */
const COMMON = [400, 401, 403, 429];
const REVEALING = /\n\s+at |node_modules|\.[jt]s:\d|Error:|file:\/\//;

/**
 * Holds for every answer of the API, whatever was asked: a documented status, a body of exactly the documented shape,
 * the headers that belong to it, and nothing about the service's inside. 5xx is never an answer here.
 * @throws Error what is wrong with it.
 */
export function checkAnswer(answer: Answer, sentCredential: boolean): void {
  const wrong = (what: string) => new Error(`${what}: ${described(answer)}`);
  const { method, path, status, headers, text } = answer;
  if (status >= 500) throw wrong("a failure");
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers.get("x-request-id") ?? "")) throw wrong("no X-Request-Id");
  if (headers.has("x-powered-by")) throw wrong("X-Powered-By");
  if (REVEALING.test(text)) throw wrong("it reveals its inside");

  const operation = findOperation(method, path);
  if (operation !== undefined && !statusesOf(operation).includes(status)) throw wrong("an undocumented status");
  if (sentCredential && ![400, 401, 429].includes(status) && headers.get("service-version") !== "2026-11-01") {
    throw wrong("no Service-Version");
  }
  checkHeaders(answer, wrong);
  if (method === "HEAD" || status === 204 || status === 304) {
    if (text !== "") throw wrong("a body where none belongs");
    return;
  }
  if (headers.get("content-type") !== "application/json; charset=utf-8") throw wrong("not JSON");
  if (headers.get("content-length") !== String(Buffer.byteLength(text))) throw wrong("no Content-Length");
  const problem =
    status < 300 ? problemOf(operation?.success.body, answer) : errorProblem(answer, operation?.id === "exchangeToken");
  if (problem !== undefined) throw wrong(problem);
}

function statusesOf({ id, success, errors, idempotencyKey }: Operation): readonly number[] {
  const own = Object.keys(errors ?? {}).map(Number);
  const cached = id === "getSeatMap" ? [304] : [];
  return [success.status, ...own, ...COMMON, ...(idempotencyKey === undefined ? [] : [409, 422]), ...cached];
}

function checkHeaders({ status, headers }: Answer, wrong: (what: string) => Error): void {
  if (status === 401 && !headers.has("www-authenticate")) throw wrong("no WWW-Authenticate");
  if (status === 405 && !headers.has("allow")) throw wrong("no Allow");
  if (status === 429 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) throw wrong("no Retry-After");
  const limits = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
  const given = limits.filter((value) => value !== null);
  if (given.length !== 0 && given.length !== limits.length) throw wrong("some rate-limit headers only");
  if (given.some((value) => !/^\d+$/.test(value))) throw wrong("rate-limit headers that are no integers");
  if (status === 429 && given.length === 0) throw wrong("no rate-limit headers");
}

function problemOf(schema: ZodType | null | undefined, { body }: Answer): string | undefined {
  if (schema === undefined || schema === null) return "a body nobody has described";
  const parsed = schema.safeParse(body);
  return parsed.success ? undefined : `not of its shape (${JSON.stringify(parsed.error.issues)})`;
}

function errorProblem(answer: Answer, isToken: boolean): string | undefined {
  const { status, headers } = answer;
  if (isToken && (status === 400 || status === 401)) {
    if (headers.get("cache-control") !== "no-store") return "a token's error may be cached";
    return problemOf(oauthErrorSchema, answer);
  }
  const parsed = errorResponseSchema.safeParse(answer.body);
  if (!parsed.success) return `not an ErrorResponse (${JSON.stringify(parsed.error.issues)})`;
  const { statusCode, message, error } = parsed.data;
  if (statusCode !== status) return "another statusCode in the body";
  if (error !== STATUS_CODES[status]) return "another name of the status";
  const named = typeof message === "string" ? [message] : message;
  if (named.length === 0 || named.includes("")) return "an empty message";
  return status === 400 && typeof message === "string" ? "400 without a list of problems" : undefined;
}
