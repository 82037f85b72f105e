import type { Operation } from "@travel-booking/api-contract";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse, Route } from "../route.ts";
import { admit } from "./admission.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";

const PARAMETER = /^\{(\w+)\}$/;

/** `/v1/flights/{id}` as Express writes it. */
export function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Whether a path is one of this template's. */
export function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const given = path.split("/");
  if (expected.length !== given.length) return false;
  return expected.every((segment, index) => (PARAMETER.test(segment) ? given[index] !== "" : segment === given[index]));
}

/** The methods there are for a path, as the `Allow` header lists them; empty for an unknown path. */
function methodsFor(path: string, operations: readonly Operation[]): readonly string[] {
  const methods = operations.filter((operation) => matches(operation.path, path)).map(({ method }) => method);
  const listed = new Set<string>(methods);
  if (listed.has("GET")) listed.add("HEAD");
  return [...listed].sort();
}

/** Hot routes first, but never before one whose path they would take for their own. */
export function inMatchingOrder(routes: readonly Route[]): readonly Route[] {
  const ordered = new Set<Route>();
  function place(route: Route): void {
    for (const other of routes) if (other !== route && !ordered.has(other) && shadows(route, other)) place(other);
    ordered.add(route);
  }
  for (const route of routes) if (route.matchFirst === true) place(route);
  for (const route of routes) place(route);
  return [...ordered];
}

/** Whether the first route would match the second one's own path. */
function shadows({ operation: wide }: Route, { operation: narrow }: Route): boolean {
  return wide.method === narrow.method && wide.path !== narrow.path && matches(wide.path, narrow.path);
}

/** What is no operation and can only be read, whichever service has it. */
const AUXILIARY_PATHS = ["/docs", "/health/live", "/health/ready", "/metrics"];
const UNKNOWN_PATH = errorResponse(404, "There is nothing at this path.");
const MALFORMED_PATH = errorResponse(400, ["the path is not valid percent-encoded UTF-8"]);

/** Answers a request no route has taken: a malformed path, a method the path does not have, an unknown path. */
export async function respondUnrouted(
  exchange: HttpExchange,
  options: AppOptions,
  problem: "malformed" | "unmatched",
): Promise<ApiResponse> {
  // Whoever sends a credential has it checked and counted here too; nobody needs one to be told that there is nothing.
  const { headers } = exchange.request;
  if (headers["x-api-key"] !== undefined || headers.authorization !== undefined) {
    const refused = await admit(exchange, options);
    if (refused !== undefined) return refused;
  }
  if (problem === "malformed") return MALFORMED_PATH;
  const path = (exchange.request.url ?? "").split("?", 1)[0] as string;
  const methods = AUXILIARY_PATHS.includes(path) ? ["GET", "HEAD"] : methodsFor(path, options.allOperations);
  const method = exchange.request.method ?? "";
  if (methods.length === 0 || methods.includes(method)) return UNKNOWN_PATH;
  return errorResponse(405, `${method} is not possible here.`, { Allow: methods.join(", ") });
}
