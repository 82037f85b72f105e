import type { StateStore } from "@travel-booking/engines/state-store";
import {
  ClientAddressResolver,
  createHealthApp,
  type Lifecycle,
  MAX_CONNECTIONS,
  PortInUse,
  type Readiness,
  type RunningServer,
  type ServerOptions,
  startServer,
} from "@travel-booking/http";
import { createOperatorApp, OperatorCommands, type OperatorRoute, WrongTokens } from "@travel-booking/http/operator";
import type { OperatorPageOptions } from "@travel-booking/operator/page";
import { type Metrics, StartupError } from "@travel-booking/runtime";
import type { Express, RequestHandler } from "express";
import type { ApiCore, Part } from "./core.ts";
import { connectionBounds, maxOpenFiles, OTHER_FILES } from "./open-files.ts";
import { publicApp, unavailableReason } from "./public-app.ts";
import type { ServiceContext } from "./run-service.ts";

const FEW_FILES = "few files may be open (ulimit -n): fewer connections are taken than could be";

/** Real time that open requests may take at shutdown. */
const STOP_TIMEOUT_MS = 5_000;

interface OperatorInterface {
  /** Undefined: the operator interface of this service has only metrics. */
  readonly token: string | undefined;
  /** Absent: the service has no operations, and no page. */
  readonly operations?: {
    readonly routes: readonly OperatorRoute[];
    readonly commands: OperatorCommands;
    /** For the page. */
    readonly state: StateStore;
  };
  readonly metrics: Metrics;
  readonly health: Readiness & { readonly lifecycle: Lifecycle };
}

export interface ServiceUrls {
  readonly baseUrl: string;
  readonly operatorUrl: string;
}

/**
 * Serves an app at `HOST` and `PORT`, and the operator interface with the metrics at `OPERATOR_HOST` and
 * `OPERATOR_PORT`, until shutdown.
 * @throws StartupError names the setting that is wrong.
 */
async function serve(
  { settings, logger, shutdown }: ServiceContext,
  app: Express,
  operator: OperatorInterface,
): Promise<ServiceUrls> {
  const onError = (error: unknown, requestId: string) =>
    logger.error({ err: error, requestId }, "an operator request failed");
  const { metricsAllow, operatorHost, operatorPort, host, port, trustedProxies, readOnly } = settings;
  const { token, operations } = operator;
  const { lifecycle } = operator.health;
  const url = () => settings.operatorUrl ?? urlOf(operatorServer);
  const wrongTokens = new WrongTokens({ addresses: new ClientAddressResolver(trustedProxies), logger });
  const ofPage = { url, wrongTokens, unavailableReason, stopping: shutdown.begun, readOnly };
  const page =
    token === undefined || operations === undefined
      ? undefined
      : pageWhenAskedFor({ ...ofPage, token, state: operations.state });
  const operatorApp = createOperatorApp({ ...operator, wrongTokens, page, metricsAllow, onError, unavailableReason });
  const openFiles = maxOpenFiles();
  const { publicPort: maxConnections, operatorPort: maxOperators } = connectionBounds(openFiles);
  if (maxConnections < MAX_CONNECTIONS) logger.warn({ openFiles, maxConnections }, FEW_FILES);
  const operatorOptions = { host: operatorHost, port: operatorPort, maxConnections: maxOperators } as const;
  const operatorServer: RunningServer = await listen(operatorApp, { ...operatorOptions, prefix: "OPERATOR_" });
  const server = await listen(app, { host, port, trustedProxies, maxConnections, prefix: "", lifecycle });
  // Both servers stop at the same time, because one after the other could take longer than a shutdown may.
  shutdown.register("servers", () => Promise.all([server.stop(STOP_TIMEOUT_MS), operatorServer.stop(STOP_TIMEOUT_MS)]));
  return { baseUrl: urlOf(server), operatorUrl: urlOf(operatorServer) };
}

/** Serves the parts of a process, of which at most one writes. @throws StartupError */
export async function serveParts(
  host: ServiceContext,
  core: ApiCore,
  parts: readonly Part[],
  token = host.settings.operatorToken,
): Promise<ServiceUrls> {
  const routes = parts.flatMap(({ operatorRoutes = [] }) => operatorRoutes);
  const part: Part = {
    ...(Object.assign({}, ...parts) as Part),
    routes: parts.flatMap(({ routes = [] }) => routes),
    plainRoutes: parts.flatMap(({ plainRoutes = [] }) => plainRoutes),
  };
  const { state, clock, ids: commandIds, instance, metrics } = core;
  const { secretKey } = core.secretKeys;
  const holder = instance?.id ?? null;
  const operations = { routes, state, commands: new OperatorCommands({ state, clock, commandIds, holder, secretKey }) };
  const urls = await serve(host, publicApp(host, core, part), {
    token,
    ...(routes.length > 0 && { operations }),
    metrics,
    health: { ...core, ...part },
  });
  // Runs before the servers stop.
  if (part.endWaits !== undefined) host.shutdown.register("waiting requests", part.endWaits);
  return urls;
}

/** Loads the page for the first browser that asks for it (docs/decisions/0036-a-start-loads-what-it-uses.md). */
function pageWhenAskedFor(options: OperatorPageOptions): RequestHandler {
  let page: RequestHandler | undefined;
  return async (request, response, next) => {
    // If loading fails, for example because too many files are open, the next request tries again.
    const { operatorPage } = await import("@travel-booking/operator/page");
    page ??= operatorPage(options);
    page(request, response, next);
  };
}

/** Serves health and metrics, for a service without an operation of the public API. @throws StartupError */
export function serveHealth(
  host: ServiceContext,
  readiness: NonNullable<Readiness["readiness"]>,
  metrics: Metrics,
): Promise<ServiceUrls> {
  const health = { readiness, lifecycle: { stopping: false } };
  const app = createHealthApp({ ...health, logger: host.logger });
  return serve(host, app, { token: host.settings.operatorToken, metrics, health });
}

/** The text on standard output once a distributed service is ready. */
export async function readyLines(
  name: string,
  { baseUrl, operatorUrl }: ServiceUrls,
  host: ServiceContext,
): Promise<string> {
  const lines = [
    `Travel Booking Service: the ${name} is ready.`,
    `  base address      ${baseUrl}`,
    `  operator address  ${operatorUrl}`,
    ...(await unusualLines(host)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Lines in `readyLines` and in the summary of `npm start`: what a service for real customers should not have. */
export async function unusualLines({
  settings,
  unusual,
}: Pick<ServiceContext, "settings" | "unusual">): Promise<readonly string[]> {
  const ofSettings = [
    settings.sandboxClock && "an operator may move the clock (SANDBOX_CLOCK)",
    settings.webhookAllowPrivateTargets &&
      "webhooks may go to this machine and its network (WEBHOOK_ALLOW_PRIVATE_TARGETS)",
    settings.readOnly && "it is to be looked at only: no changes, timers, webhooks and payments (READ_ONLY)",
    settings.rateLimitPerMinute === 0 && "requests are not limited (RATE_LIMIT_PER_MINUTE=0)",
    settings.secretKeyIsNew && "what was sealed under another secret is given up (SECRET_KEY_IS_NEW)",
    maxOpenFiles() < OTHER_FILES &&
      `fewer than ${OTHER_FILES} files may be open (ulimit -n): uploads and other work may fail, also what fills a demo account`,
  ].filter((line) => line !== false);
  const found = (await Promise.all(unusual)).filter((what) => what !== undefined);
  return [...ofSettings, ...found].map((what) => `  unusual           ${what}`);
}

interface ListenOptions extends ServerOptions {
  /** The prefix of the variables that set host and port. */
  readonly prefix: "" | "OPERATOR_";
}

async function listen(app: Express, options: ListenOptions): Promise<RunningServer> {
  try {
    return await startServer(app, options);
  } catch (cause) {
    throw new StartupError(whyNobodyListens(cause, options), { cause });
  }
}

/** Errors for resources that the system has used up. It would then refuse any address. */
const OUT_OF = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

function whyNobodyListens(cause: unknown, { host, port, prefix }: ListenOptions): string {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  if (cause instanceof PortInUse)
    return `${prefix}PORT is ${port}: something listens there on ${host} already; stop it, or choose another port`;
  if (code === "EACCES" || code === "EPERM")
    return `${prefix}PORT is ${port}: this user may not listen there (${code}); choose a port above 1023`;
  if (OUT_OF.has(code))
    return `nobody can listen at ${prefix}PORT ${port} now (${code}): raise ulimit -n, or free some memory`;
  return `${prefix}HOST is ${JSON.stringify(host)}: nobody can listen there (${code}); choose an address of this machine`;
}

function urlOf({ host, port }: RunningServer): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
