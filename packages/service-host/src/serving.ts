import {
  createHealthApp,
  type Lifecycle,
  PortInUse,
  type ReadinessCheck,
  type RunningServer,
  type ServerOptions,
  startServer,
} from "@travel-booking/http";
import { createOperatorApp, type OperatorRoute } from "@travel-booking/http/operator";
import type { Metrics } from "@travel-booking/runtime";
import type { Express } from "express";
import { unavailableReason } from "./public-app.ts";
import { type ServiceContext, StartupError } from "./run-service.ts";

/** Real time: how long open requests may take at shutdown. */
const STOP_TIMEOUT_MS = 5_000;

export interface OperatorInterface {
  readonly token: string;
  readonly routes: readonly OperatorRoute[];
}

export interface ServiceUrls {
  readonly baseUrl: string;
  readonly operatorUrl: string;
}

/**
 * Serves the API at `HOST` and `PORT` until shutdown; answers its URL.
 * @throws StartupError names the setting that is wrong.
 */
export async function serveApi(host: ServiceContext, app: Express, lifecycle: Lifecycle): Promise<string> {
  const server = await listenForApi(host, app, lifecycle);
  host.shutdown.register("server", () => server.stop(STOP_TIMEOUT_MS));
  return urlOf(server);
}

/** As `serveApi`, with the operator interface at `OPERATOR_HOST` and `OPERATOR_PORT`. @throws StartupError */
export async function serveApiAndOperator(
  host: ServiceContext,
  app: Express,
  lifecycle: Lifecycle,
  operator: OperatorInterface,
): Promise<ServiceUrls> {
  const operatorServer = await listenForOperator(host, operator);
  const server = await listenForApi(host, app, lifecycle);
  // At once: one after the other could take longer than a shutdown may.
  host.shutdown.register("servers", () =>
    Promise.all([server.stop(STOP_TIMEOUT_MS), operatorServer.stop(STOP_TIMEOUT_MS)]),
  );
  return { baseUrl: urlOf(server), operatorUrl: urlOf(operatorServer) };
}

/** Health and metrics, for a service without an operation of the public API. @throws StartupError */
export function serveHealth(
  host: ServiceContext,
  { metrics, readiness }: { readonly metrics: Metrics; readonly readiness: Readonly<Record<string, ReadinessCheck>> },
): Promise<string> {
  const lifecycle: Lifecycle = { stopping: false };
  return serveApi(host, createHealthApp({ metrics, readiness, lifecycle, logger: host.logger }), lifecycle);
}

/** What standard output says once a distributed service is ready. */
export function readyLines(name: string, { baseUrl, operatorUrl }: Partial<ServiceUrls>): string {
  const lines = [`Travel Booking Service: the ${name} is ready.`, `  base address      ${baseUrl}`];
  if (operatorUrl !== undefined) lines.push(`  operator address  ${operatorUrl}`);
  return `${lines.join("\n")}\n`;
}

function listenForApi({ settings }: ServiceContext, app: Express, lifecycle: Lifecycle): Promise<RunningServer> {
  const { host, port, trustedProxies } = settings;
  return listen(app, { host, port, trustedProxies, prefix: "", lifecycle });
}

function listenForOperator({ settings, logger }: ServiceContext, operator: OperatorInterface): Promise<RunningServer> {
  const onError = (error: unknown, requestId: string) =>
    logger.error({ err: error, requestId }, "an operator request failed");
  const app = createOperatorApp({ ...operator, onError, unavailableReason });
  return listen(app, { host: settings.operatorHost, port: settings.operatorPort, prefix: "OPERATOR_" });
}

interface ListenOptions extends ServerOptions {
  /** Of the variables that set host and port. */
  readonly prefix: "" | "OPERATOR_";
}

async function listen(app: Express, options: ListenOptions): Promise<RunningServer> {
  const { host, port, prefix } = options;
  try {
    return await startServer(app, options);
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const problem =
      cause instanceof PortInUse
        ? `${prefix}PORT is ${port}: something listens there on ${host} already; stop it, or choose another port`
        : code === "EACCES" || code === "EPERM"
          ? `${prefix}PORT is ${port}: this user may not listen there (${code}); choose a port above 1023`
          : `${prefix}HOST is ${JSON.stringify(host)}: nobody can listen there (${code}); choose an address of this machine`;
    throw new StartupError(problem, { cause });
  }
}

function urlOf({ host, port }: RunningServer): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
