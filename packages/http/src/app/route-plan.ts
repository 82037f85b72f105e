import type { Deprecation } from "@travel-booking/api-contract";
import type { BoundHistogram, HistogramChild, Metrics } from "@travel-booking/runtime";
import { insufficientScope } from "../auth/authenticator.ts";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse, Handler, Route } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import type { InFlightLimit } from "./http-exchange.ts";

/** A route with everything worked out that does not depend on the request. */
export interface RoutePlan {
  readonly route: Route;
  readonly handler: Handler;
  readonly writes: boolean;
  /** What an operation without query parameters in its URL is given. */
  readonly defaultQuery: unknown;
  readonly insufficientScope: ApiResponse | undefined;
  readonly notFound: ApiResponse;
  /** The headers that say so, of a deprecated operation. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
  readonly inFlight: InFlightLimit;
  readonly metrics: RequestMetrics;
}

/** @throws Error the route needs something the app does not have. */
export function planRoute(
  route: Route,
  options: Pick<AppOptions, "idempotency" | "progress" | "responseSealer">,
  shared: Pick<RoutePlan, "inFlight" | "metrics">,
): RoutePlan {
  const { operation, handler, reads, confidential } = route;
  const { id, method, scope, query, idempotencyKey, errors } = operation;
  if (idempotencyKey !== undefined && options.idempotency === undefined) {
    throw new Error(`${id} takes an Idempotency-Key, and there is nowhere to keep it`);
  }
  if (idempotencyKey !== undefined && confidential === true && options.responseSealer === undefined) {
    throw new Error(`${id} answers a secret, and nothing can seal it`);
  }
  if (reads !== undefined && options.progress === undefined) {
    throw new Error(`${id} reads projections, and nothing tells their progress`);
  }
  const withoutParameters = query?.safeParse({});
  return {
    ...shared,
    route,
    handler: handler as Handler,
    writes: method !== "GET",
    defaultQuery: withoutParameters === undefined ? {} : withoutParameters.success ? withoutParameters.data : undefined,
    insufficientScope: scope === null ? undefined : insufficientScope(scope),
    deprecation: operation.deprecated === undefined ? undefined : deprecationHeaders(operation.deprecated),
    notFound: errorResponse(404, errors?.[404] ?? "There is nothing with this id."),
  };
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function requestHistogram(metrics: Metrics): BoundHistogram {
  return metrics.histogram({
    name: "http_request_duration_seconds",
    help: "Time from the head of a request to its answer.",
    bounds: SECONDS,
  });
}

/** Durations of one operation, by status; each status is bound when it is first answered. */
export class RequestMetrics {
  readonly #histogram: BoundHistogram;
  readonly #operation: string;
  readonly #byStatus: (HistogramChild | undefined)[] = new Array(600).fill(undefined);

  constructor(histogram: BoundHistogram, operation: string) {
    this.#histogram = histogram;
    this.#operation = operation;
  }

  /** Milliseconds. */
  observe(status: number, duration: number): void {
    let child = this.#byStatus[status];
    if (child === undefined) {
      child = this.#histogram.child({ operation: this.#operation, status: String(status) });
      this.#byStatus[status] = child;
    }
    child.observe(duration / 1_000);
  }
}

/** RFC 9745 (a date in Unix seconds), RFC 8594 (an HTTP date), RFC 5829 (the link). */
function deprecationHeaders({ since, sunset, successor }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1_000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor}>; rel="successor-version"`,
  };
}
