import type { Metrics } from "@travel-booking/runtime";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { Lifecycle } from "../server.ts";

/** Whether one thing the service needs is there. Throwing counts as no. */
export type ReadinessCheck = () => boolean | Promise<boolean>;

/** The process runs and answers. */
export function livenessResponse(): ApiResponse {
  return { status: 200, json: '{"status":"ok"}' };
}

/** 200 where requests can be served; else 503, naming what is missing. */
export async function readinessResponse(
  checks: Readonly<Record<string, ReadinessCheck>>,
  lifecycle: Lifecycle,
): Promise<ApiResponse> {
  if (lifecycle.stopping) return errorResponse(503, ["The service is stopping."]);
  const missing: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const holds = await Promise.resolve()
      .then(check)
      .catch(() => false);
    if (!holds) missing.push(`${name} is not ready`);
  }
  return missing.length === 0 ? { status: 200, json: '{"status":"ready"}' } : errorResponse(503, missing);
}

/** Everything that is measured, as Prometheus reads it. */
export async function metricsResponse(metrics: Metrics): Promise<ApiResponse> {
  const { contentType, text } = await metrics.render();
  return { status: 200, json: text, headers: { "Content-Type": contentType } };
}
