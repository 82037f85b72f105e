import { createHealthApp, type Lifecycle, type ReadinessCheck, type RunningServer } from "@travel-booking/http";
import type { Metrics } from "@travel-booking/runtime";
import type { ServiceContext } from "../main/run-service.ts";
import { listen } from "./listen.ts";

/** Real time: how long requests under way may take at the end. */
export const STOP_SERVING_MS = 5_000;

export interface ServeHealthOptions {
  readonly metrics: Metrics;
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
}

/** Health and metrics, for a service that has no operation of the public API. */
export async function serveHealth(
  host: ServiceContext,
  { metrics, readiness }: ServeHealthOptions,
): Promise<RunningServer> {
  const { settings, logger, shutdown } = host;
  const lifecycle: Lifecycle = { stopping: false };
  const app = createHealthApp({ metrics, readiness, lifecycle, logger });
  const variables = { host: "HOST", port: "PORT" };
  const server = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("server", () => server.stop(STOP_SERVING_MS));
  return server;
}
