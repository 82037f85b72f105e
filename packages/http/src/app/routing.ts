import type { Operation } from "@travel-booking/api-contract";
import { errorResponse, UNKNOWN_PATH } from "../error-response.ts";
import type { ApiResponse, Route } from "../route.ts";
import { admit, countStranger } from "./admission.ts";
import type { AppOptions } from "./app-options.ts";
import { isPreflight, preflightResponse } from "./cross-origin.ts";
import type { HttpExchange } from "./http-exchange.ts";

const PARAMETER = /\{(\w+)\}/g;

/** `/v1/flights/{id}` as Express writes it: `/v1/flights/:id`. */
export function expressPath(template: string): string {
  return template.replaceAll(PARAMETER, ":$1");
}

/** More parts than the path of any operation has, so a longer path need not be split to its end. */
const MAX_PARTS = 16;

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const given = path.split("/", MAX_PARTS);
  if (expected.length !== given.length) return false;
  return expected.every((segment, index) => (segment.startsWith("{") ? given[index] !== "" : segment === given[index]));
}

/** Sorts fixed parts before a parameter in their place: "{" sorts behind all letters and digits. */
export function inMatchingOrder(routes: readonly Route[]): readonly Route[] {
  const after = ({ operation: one }: Route, { operation: other }: Route) => Number(one.path > other.path);
  return routes.toSorted((one, other) => after(one, other) - after(other, one));
}

/** Paths outside the API. They exist for GET and HEAD, whichever service has them. */
const PAGES = [
  "/",
  "/docs",
  "/docs/changelog",
  "/docs/openapi.yaml",
  "/docs/postman.json",
  "/health/live",
  "/health/ready",
];
const MALFORMED_PATH = errorResponse(400, "malformed_path", ["the path is not valid percent-encoded UTF-8"]);

/** The response to a request without a route: a preflight, a malformed path, a method the path lacks, an unknown path. */
export async function unroutedResponse(
  exchange: HttpExchange,
  options: AppOptions,
  problem: "malformed" | "unmatched",
): Promise<ApiResponse> {
  const preflight = options.corsOrigins !== undefined && isPreflight(exchange, options.corsOrigins);
  const refused = await (preflight ? countStranger(exchange, options) : admitIfCredential(exchange, options));
  if (refused !== undefined) return refused;
  if (problem === "malformed") return MALFORMED_PATH;
  const methods = methodsFor(exchange.path, options.allOperations);
  if (preflight && methods.length > 0) return preflightResponse(methods);
  const method = exchange.request.method ?? "";
  if (methods.length === 0 || methods.includes(method)) return UNKNOWN_PATH;
  return errorResponse(405, "method_not_allowed", `${method} is not possible here.`, { Allow: methods.join(", ") });
}

/** A credential is optional here, but if one is sent, it is checked and counted as everywhere. */
function admitIfCredential(exchange: HttpExchange, options: AppOptions): Promise<ApiResponse | undefined> | undefined {
  const { headers } = exchange.request;
  const hasCredential = headers["x-api-key"] !== undefined || headers.authorization !== undefined;
  return hasCredential ? admit(exchange, options) : undefined;
}

/** The methods of a path, as the `Allow` header lists them; empty for an unknown path. */
function methodsFor(path: string, operations: readonly Operation[]): readonly string[] {
  if (PAGES.includes(path)) return ["GET", "HEAD"];
  const methods = new Set<string>();
  for (const operation of operations) if (matches(operation.path, path)) methods.add(operation.method);
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}
