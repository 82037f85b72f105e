import { bodyLimitOf, type Deprecation, type ErrorCode, reasonOf } from "@travel-booking/api-contract";
import type { HistogramChild, Metrics } from "@travel-booking/runtime";
import { z } from "zod";
import { insufficientScope } from "../auth/authenticator.ts";
import { errorResponse } from "../error-response.ts";
import { type BodyBounds, JSON_WITHIN_MS } from "../request/body.ts";
import type { ApiResponse, Handler, Route } from "../route.ts";
import type { InFlight } from "./http-exchange.ts";

/** The schema of an operation without query parameters, and of a command without a body: an empty object. */
export const NOTHING = z.strictObject({});

/** A route with everything precomputed that does not depend on the request. */
export interface RoutePlan {
  readonly route: Route;
  readonly handler: Handler;
  readonly writes: boolean;
  /** Bounds of a JSON body. */
  readonly bodyBounds: BodyBounds;
  readonly insufficientScope: ApiResponse | undefined;
  readonly notFound: ApiResponse;
  readonly deprecation: Readonly<Record<string, string>> | undefined;
  readonly inFlight: InFlight;
  readonly observeDuration: ObserveDuration;
}

export function planRoute(route: Route, shared: Pick<RoutePlan, "inFlight" | "observeDuration">): RoutePlan {
  const { operation, handler } = route;
  const { method, scope, errors, deprecated, body = NOTHING, bodyType = "json" } = operation;
  return {
    ...shared,
    route,
    handler: handler as Handler,
    writes: method !== "GET",
    bodyBounds: { maxBytes: bodyType === "json" ? bodyLimitOf(body) : 0, withinMs: JSON_WITHIN_MS },
    insufficientScope: scope === null ? undefined : insufficientScope(scope),
    deprecation: deprecated === undefined ? undefined : deprecationHeaders(deprecated),
    notFound: notFound(errors?.[404]?.[0] ?? "path_not_found"),
  };
}

const notFound = (code: ErrorCode<404>) => errorResponse(404, code, reasonOf(404, code)[0]);

/** RFC 9745 (a date in Unix seconds), RFC 8594 (an HTTP date), RFC 5829 (the link). */
function deprecationHeaders({ since, sunset, successor }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1_000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor}>; rel="successor-version"`,
  };
}

/** Observes how long a request of one operation took. */
export type ObserveDuration = (status: number, durationMs: number) => void;

/** Each operation and status is bound to the histogram at its first response. */
export function requestDurations(metrics: Metrics): (operation: string) => ObserveDuration {
  const histogram = metrics.histogram({
    name: "http_request_duration_seconds",
    help: "Time from the head of a request to its answer.",
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (operation) => {
    const byStatus = new Map<number, HistogramChild>();
    return (status, durationMs) => {
      const child = byStatus.get(status) ?? histogram.child({ operation, status: String(status) });
      byStatus.set(status, child);
      child.observe(durationMs / 1_000);
    };
  };
}
