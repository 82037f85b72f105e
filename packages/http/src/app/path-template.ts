import type { Operation } from "@travel-booking/api-contract";
import type { Route } from "../route.ts";

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
export function methodsFor(path: string, operations: readonly Operation[]): readonly string[] {
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
