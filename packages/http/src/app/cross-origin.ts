import { exchangeTokenOperation } from "@travel-booking/api-contract";
import type { ApiResponse } from "../route.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** Headers that a page of another origin may send. An API key belongs on no page. */
const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Service-Version",
  "X-Request-Id",
].join(", ");

/** Headers of responses that a page of another origin may read, besides those that browsers always show. */
const EXPOSED_HEADERS = [
  "Allow",
  "Boarding-Pass-Revision",
  "Content-Disposition",
  "Deprecation",
  "ETag",
  "Flight-Status",
  "Idempotent-Replayed",
  "Link",
  "Retry-After",
  "Service-Error-Code",
  "Service-Version",
  "Sunset",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
].join(", ");

/** Seconds a browser may go without another preflight. Chromium takes no more. */
const PREFLIGHT_LIFETIME = "7200";

export type CorsOrigins = ReadonlySet<string>;

/** The origin of the page that sent the request, if it may read the response (docs/rules.md#other-origins). */
function readingOrigin({ request, path }: HttpExchange, origins: CorsOrigins): string | undefined {
  const { origin, "x-api-key": apiKey } = request.headers;
  if (origin === undefined || !origins.has(origin)) return undefined;
  return apiKey === undefined && path !== exchangeTokenOperation.path ? origin : undefined;
}

/** Headers that let a page of an allowed origin read a response. `own` are the response's other headers. */
export function crossOriginHeaders(
  exchange: HttpExchange,
  origins: CorsOrigins,
  own: ApiResponse["headers"] = {},
): Readonly<Record<string, string>> {
  if (origins.size === 0) return {};
  // Without it a cache would show one origin what was sent for another.
  const vary = { Vary: own.Vary === undefined ? "Origin" : `${own.Vary}, Origin` };
  const origin = readingOrigin(exchange, origins);
  if (origin === undefined) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED_HEADERS };
}

/** Whether a browser asks whether a page of an allowed origin may send a request. */
export function isPreflight(exchange: HttpExchange, origins: CorsOrigins): boolean {
  const { method, headers } = exchange.request;
  const asks = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  return asks && readingOrigin(exchange, origins) !== undefined;
}

/** The response to a preflight. Browsers refuse what it does not list. */
export function preflightResponse(methods: readonly string[]): ApiResponse {
  const headers = {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": PREFLIGHT_LIFETIME,
  };
  return { status: 204, json: null, headers };
}
