import { insufficientScope } from "../auth/auth-errors.ts";
import { errorResponse } from "../errors/error-response.ts";
import type { InFlightLimit } from "../limits/in-flight-limit.ts";
import type { ApiResponse, Handler, Route } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { RequestMetrics } from "./request-metrics.ts";

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
