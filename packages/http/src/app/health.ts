import type { Logger } from "@travel-booking/runtime";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse, PlainRoute } from "../route.ts";
import type { Lifecycle } from "../server.ts";

/** Whether one dependency of the service is available, or why it is not. Throwing counts as no. */
export type ReadinessCheck = () => boolean | string | Promise<boolean | string>;

export interface HealthOptions {
  readonly logger: Logger;
  /** All must hold for `/health/ready`. */
  readonly readiness?: Readonly<Record<string, ReadinessCheck>>;
  /** What `/health/ready` tells besides, by name: a line each; undefined: nothing to tell. It decides nothing. */
  readonly readinessDetails?: Readonly<Record<string, () => Promise<string | undefined>>>;
  readonly lifecycle?: Lifecycle;
}

/** `/health/live` and `/health/ready`, which need no credential. */
export function healthRoutes({
  readiness = {},
  readinessDetails = {},
  lifecycle,
}: HealthOptions): readonly PlainRoute[] {
  return [
    { method: "GET", path: "/health/live", handler: () => ({ status: 200, json: '{"status":"ok"}' }) },
    { method: "GET", path: "/health/ready", handler: () => readinessResponse(readiness, readinessDetails, lifecycle) },
  ];
}

/** What is missing, a line each. */
export async function missingReadiness(checks: Readonly<Record<string, ReadinessCheck>>): Promise<readonly string[]> {
  // At once: a server that hangs must not delay what is told of the others.
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const state = await Promise.resolve()
        .then(check)
        .catch(() => false);
      return state === true ? [] : [state || `${name} is not ready`];
    }),
  );
  return states.flat();
}

/** 200 if requests can be served; else 503, naming what is missing. */
async function readinessResponse(
  checks: Readonly<Record<string, ReadinessCheck>>,
  readinessDetails: NonNullable<HealthOptions["readinessDetails"]>,
  lifecycle: Lifecycle | undefined,
): Promise<ApiResponse> {
  if (lifecycle?.stopping === true) return errorResponse(503, "not_ready", ["The service is stopping."]);
  const missing = await missingReadiness(checks);
  if (missing.length > 0) return errorResponse(503, "not_ready", missing);
  const told = await Promise.all(
    Object.entries(readinessDetails).map(async ([name, tell]) => [name, await tell().catch(() => undefined)] as const),
  );
  const details = told.filter(([, line]) => line !== undefined);
  const body = { status: "ready", ...(details.length > 0 && { details: Object.fromEntries(details) }) };
  return { status: 200, json: JSON.stringify(body) };
}
