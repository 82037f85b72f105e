import { STATUS_CODES } from "node:http";
import type { ErrorCode, ErrorResponse, ErrorStatus } from "@travel-booking/api-contract";
import type { ApiResponse } from "./route.ts";

/** Headers of every response, unless its handler sets others: browsers neither cache it nor guess its type. */
export const GUARDING_HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" } as const;

/** A hostile request may have as many problems as bytes, so a response lists only the first ones. */
const MAX_PROBLEMS = 100;

export function firstProblems(problems: readonly string[]): readonly string[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), "there are more problems than these"];
}

/** The body of an error (docs/rules.md#errors). */
export function errorBody(statusCode: number, message: string | readonly string[]): ErrorResponse {
  const error = STATUS_CODES[statusCode];
  const body = { statusCode, message: typeof message === "string" ? message : [...firstProblems(message)] };
  return error === undefined ? body : { ...body, error };
}

/** The header with the error's code for programs (docs/errors.md). The message is for people. */
export const ERROR_CODE = "Service-Error-Code";

/** An error response. Validation failures give one message per problem. */
export function errorResponse<Status extends ErrorStatus>(
  status: Status,
  code: ErrorCode<Status>,
  message: string | readonly string[],
  headers?: Readonly<Record<string, string>>,
): ApiResponse {
  const json = JSON.stringify(errorBody(status, message));
  return { status, json, headers: { [ERROR_CODE]: code, ...headers } };
}

/** 503: nothing was attempted; a retry after some seconds may succeed. */
export function unavailable(code: ErrorCode<503>, message: string, retryAfter = 1): ApiResponse {
  return errorResponse(503, code, message, { "Retry-After": String(retryAfter) });
}

export const OVERLOADED: ApiResponse = unavailable("overloaded", "The service is overloaded; try again.");

/** 500. The response reveals no cause; the log has it, under the request's id. */
export const INTERNAL_ERROR: ApiResponse = errorResponse(500, "internal_error", "The service failed; try again later.");

/** 500 to a command: it may have been carried out, in part or in whole (docs/rules.md#failures). */
export const OUTCOME_UNKNOWN: ApiResponse = errorResponse(
  500,
  "outcome_unknown",
  "It is not known yet whether the request was carried out; try again later, with the same Idempotency-Key.",
  { "Retry-After": "5" },
);

/** 404 for a path without a route. */
export const UNKNOWN_PATH: ApiResponse = errorResponse(404, "path_not_found", "There is nothing at this path.");
