import type { Logger } from "@travel-booking/runtime";
import { errorBody, errorResponse } from "../error-response.ts";
import type { ApiResponse, PlainRoute } from "../route.ts";
import type { Lifecycle } from "../server.ts";

/** Whether one dependency of the service is available; a text is the reason why it is not. Throwing counts as no. */
export type ReadinessCheck = () => boolean | string | Promise<boolean | string>;

export type ReadinessChecks = Readonly<Record<string, ReadinessCheck>>;

/** The public reasons why a service is not ready. Only operators see which check failed. */
type NotReady = "stopping" | "store" | "disk_full" | "starting";

/** The checks that decide whether a service is ready, and what operators see besides. */
export interface Readiness {
  /** All checks must pass. A failed one makes the service not ready, for the reason it stands under. */
  readonly readiness?: Readonly<Partial<Record<Exclude<NotReady, "stopping">, ReadinessChecks>>>;
  /** Lines for operators, by name; undefined: no line. */
  readonly readinessDetails?: Readonly<Record<string, () => Promise<string | undefined>>>;
  readonly lifecycle?: Lifecycle;
}

export interface HealthOptions extends Readiness {
  readonly logger: Logger;
}

/** `/health/live` and `/health/ready`, which need no credential. */
export function healthRoutes(options: HealthOptions): readonly PlainRoute[] {
  return [
    { method: "GET", path: "/health/live", handler: () => ({ status: 200, json: '{"status":"ok"}' }) },
    { method: "GET", path: "/health/ready", handler: () => readinessResponse(options) },
  ];
}

async function readinessResponse(options: Readiness): Promise<ApiResponse> {
  const reasons = [...new Set((await findMissing(options)).map(({ reason }) => reason))];
  if (reasons.length === 0) return { status: 200, json: '{"status":"ready"}' };
  const json = JSON.stringify({ status: "not_ready", ...errorBody(503, reasons) });
  return { ...errorResponse(503, "not_ready", reasons), json };
}

/** For operators: one line per missing dependency, and the details. */
export async function readinessReport(options: Readiness) {
  const lines = Object.entries(options.readinessDetails ?? {}).map(async ([name, tell]) => {
    const line = await tell().catch(() => undefined);
    return line === undefined ? [] : [[name, line] as const];
  });
  const [missing, details] = await Promise.all([findMissing(options), Promise.all(lines)]);
  return { missing: missing.map(({ line }) => line), details: Object.fromEntries(details.flat()) };
}

async function findMissing({ readiness = {}, lifecycle }: Readiness) {
  if (lifecycle?.stopping === true) return [{ reason: "stopping", line: "the service is stopping" }];
  const checks = Object.entries(readiness).flatMap(([reason, named]) =>
    Object.entries(named).map(async ([name, check]) => {
      const state = await Promise.resolve()
        .then(check)
        .catch(() => false);
      return state === true ? [] : [{ reason, line: state || `${name} is not ready` }];
    }),
  );
  // All checks run at once, so that a server that hangs does not delay the others.
  return (await Promise.all(checks)).flat();
}
