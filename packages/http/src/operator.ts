import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { MAX_IDEMPOTENCY_KEY } from "@travel-booking/api-contract";
import type { Metrics } from "@travel-booking/runtime";
import { jsonInTurns } from "@travel-booking/runtime/json-in-turns";
import { cachedFor } from "@travel-booking/runtime/real-time";
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { AddressList } from "./address-list.ts";
import { type Readiness, readinessReport } from "./app/health.ts";
import { hasBearerToken } from "./auth/secret.ts";
import type { WrongTokens } from "./auth/wrong-tokens.ts";
import { errorBody, GUARDING_HEADERS } from "./error-response.ts";
import type { OperatorCommands } from "./operator-commands.ts";
import { discardBody } from "./request/body.ts";
import { repeatedHeaders } from "./request/headers.ts";
import type { CommandIdentity } from "./route.ts";
import { recognise } from "./strangers.ts";

/** Room for a catalogue of many thousand flights. */
const MAX_BODY_BYTES = "64mb";
const METRICS_PATH = "/metrics";
const READINESS_PATH = "/health/ready";
/** What monitoring reads. */
const MONITORING_PATHS: ReadonlySet<string> = new Set([METRICS_PATH, READINESS_PATH]);
const THIS_MACHINE = new AddressList(["127.0.0.0/8", "::1"]);
/** Real time. */
const METRICS_AGE_MS = 1_000;

export * from "./auth/wrong-tokens.ts";
export { OperatorCommands } from "./operator-commands.ts";

/** The name of the person who gives a command, percent-encoded. Events name it as their actor; it proves nothing. */
export const OPERATOR_NAME_HEADER = "Operator-Name";
const MAX_NAME_LENGTH = 60;
const WRONG_TOKEN = "a request to the operator interface had a wrong token";
/** Headers that may come only once: of two, a proxy may have checked another one than the service reads. */
const SINGLE: ReadonlySet<string> = new Set(["authorization", "idempotency-key", "operator-name"]);
const UNNAMED = "operator";

/** An operator's request with a valid token. */
export interface OperatorRequest {
  readonly params: Readonly<Record<string, string>>;
  /** The first value of each name. */
  readonly query: Readonly<Record<string, string>>;
  /** The name in `Operator-Name`; `operator` without one. */
  readonly operator: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly requestId: string;
  /** A request that is repeated under its `Idempotency-Key` has the command of the first one. */
  readonly command: CommandIdentity;
  /** Aborted when the client has disconnected, and can't ask for the answer under an `Idempotency-Key`. */
  readonly closed: AbortSignal;
}

/** One operation of the operator interface. */
export type OperatorRoute = {
  readonly method: "GET" | "POST" | "DELETE";
  /** Express path, for example `/operator/accounts/:id/suspend`. */
  readonly path: string;
} & (
  | { readonly status: number; readonly answer: (request: OperatorRequest) => Promise<unknown> }
  /** JSON lines that are streamed as they come. They are kept under no `Idempotency-Key`. */
  | { readonly lines: (request: OperatorRequest) => Promise<AsyncIterable<unknown>> }
);

/** A route whose response is one JSON value. */
export function operatorRoute(
  method: OperatorRoute["method"],
  path: string,
  answer: (request: OperatorRequest) => Promise<unknown>,
  status = 200,
): OperatorRoute {
  return { method, path, status, answer };
}

/** An error for the operator: a status, and one line per problem. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly status: number;
  readonly problems: readonly string[];

  constructor(status: 400 | 404 | 409 | 422 | 503, ...problems: readonly string[]) {
    super(problems.join("; "));
    this.status = status;
    this.problems = problems;
  }
}

export interface OperatorAppOptions {
  /** The bearer token; undefined: no request is authorised. */
  readonly token: string | undefined;
  /** Counts requests with a wrong token. */
  readonly wrongTokens: Pick<WrongTokens, "pauseFor" | "count">;
  /** Absent: there are none. */
  readonly operations?: { readonly routes: readonly OperatorRoute[]; readonly commands: OperatorCommands } | undefined;
  /** Serves the page to browsers. It asks for the token itself, and passes on requests that are not for the page. */
  readonly page?: RequestHandler | undefined;
  /** Rendered by `GET /metrics`. */
  readonly metrics: Pick<Metrics, "render">;
  /** Reported by `GET /health/ready`, with 503 if something is missing. */
  readonly health: Readiness;
  /** Addresses and subnets that may read these two paths without the token. */
  readonly metricsAllow: readonly string[];
  /** Called with every error that is not an `OperatorError` or a malformed body. */
  readonly onError: (error: unknown, requestId: string) => void;
  /** Names the unavailable dependency, if nothing was done because of it. The response is then 503 instead of 500. */
  readonly unavailableReason: (error: unknown) => string | undefined;
}

/**
 * The operator interface: every route needs the token; errors have the shape of the public API's. It is an ordinary
 * Express app instead of one that `createApp` makes: responses stream, bodies are far larger, and speed is no concern.
 */
export function createOperatorApp(options: OperatorAppOptions): Express {
  const { token, wrongTokens, operations, page, metrics, health, onError, unavailableReason } = options;
  const metricsReaders = new AddressList(options.metricsAllow);
  const app = express();
  app.disable("x-powered-by");
  app.use((_request, response, next) => {
    response.locals.requestId = randomUUID();
    response.set({ "X-Request-Id": response.locals.requestId, ...GUARDING_HEADERS });
    next();
  });
  if (page !== undefined)
    app.use((request, response, next) => (isOfPrograms(request) ? next() : page(request, response, next)));
  app.use((request, response, next) => {
    const { authorization } = request.headers;
    const repeated = repeatedHeaders(request.rawHeaders, SINGLE);
    const pause = authorization === undefined ? undefined : wrongTokens.pauseFor(request);
    if (repeated.length > 0 || pause !== undefined) {
      discardBody(request);
      if (pause === undefined)
        return respondError(
          response,
          400,
          repeated.map((name) => `${name} is given more than once`),
        );
      response.setHeader("Retry-After", pause);
      return respondError(response, 429, "too many wrong tokens came from your address");
    }
    if (token !== undefined && hasBearerToken(authorization, token)) {
      recognise(request.socket);
      return next();
    }
    if (authorization !== undefined) wrongTokens.count(request, WRONG_TOKEN, authorization);
    // The address of the connection, because anybody can write one into a header.
    const { remoteAddress = "" } = request.socket;
    const isBrowserOfAnybody = THIS_MACHINE.has(remoteAddress) && mayBeForeign(request.headers.host);
    if (MONITORING_PATHS.has(request.path) && metricsReaders.has(remoteAddress) && !isBrowserOfAnybody) return next();
    response.setHeader("WWW-Authenticate", "Bearer");
    discardBody(request);
    respondError(response, 401, "the operator token is missing or wrong");
  });
  // Rendering blocks the thread that serves requests, so the text is shared for a while.
  const render = cachedFor(METRICS_AGE_MS, () => metrics.render());
  app.get(METRICS_PATH, async (_request, response) => {
    const { contentType, text } = await render();
    response.setHeader("Content-Type", contentType);
    response.end(text);
  });
  app.get(READINESS_PATH, async (_request, response) => {
    const report = await readinessReport(health);
    response.status(report.missing.length === 0 ? 200 : 503).json(report);
  });
  app.use(express.json({ limit: MAX_BODY_BYTES }));
  for (const { routes, commands } of operations === undefined ? [] : [operations]) {
    for (const route of routes) {
      const method = route.method.toLowerCase() as "get" | "post" | "delete";
      app[method](route.path, (request, response) => handle(route, commands, request, response));
    }
  }
  app.use((_request, response) => respondError(response, 404, "the operator interface has no such operation"));
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    if (error instanceof OperatorError) return respondError(response, error.status, error.problems);
    const status = (error as { status?: unknown }).status;
    if (typeof status === "number" && status >= 400 && status < 500) {
      return respondError(response, 400, `the body is not acceptable JSON: ${(error as Error).message}`);
    }
    onError(error, response.locals.requestId as string);
    const reason = unavailableReason(error);
    if (reason !== undefined) return respondError(response, 503, reason);
    respondError(response, 500, `something went wrong; the log has request ${response.locals.requestId}`);
  });
  return app;
}

/** Whether the request is for programs, which have the token or should have it. */
function isOfPrograms({ path, headers }: Request): boolean {
  return headers.authorization !== undefined || MONITORING_PATHS.has(path) || /^\/operator(?:\/|$)/.test(path);
}

/** An address, or a name without dots, such as that of a container. */
const OWN_HOST = /^(?:\[[0-9a-f:.]+\]|[\d.]+|[^.]+)$/i;

/**
 * Whether somebody else may have registered the host name of the request. A page under such a name could make a browser
 * on this machine send the request (DNS rebinding).
 */
export function mayBeForeign(host: string | undefined): boolean {
  return host !== undefined && !OWN_HOST.test(URL.parse(`http://${host}`)?.hostname ?? "");
}

async function handle(
  route: OperatorRoute,
  commands: OperatorCommands,
  request: Request,
  response: Response,
): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  const asked = {
    params: request.params as Record<string, string>,
    query: Object.fromEntries(Object.entries(request.query).map(([name, value]) => [name, firstOf(value)])),
    operator: operatorName(request.get(OPERATOR_NAME_HEADER)),
    body: request.body as unknown,
    requestId: response.locals.requestId as string,
    closed: closed.signal,
  };
  if ("lines" in route) {
    const lines = await route.lines({ ...asked, command: commands.newCommand() });
    response.setHeader("Content-Type", "application/x-ndjson");
    response.flushHeaders();
    return await endWithTexts(response, jsonLines(lines));
  }
  const { method, answer, status } = route;
  const key = method === "GET" ? undefined : idempotencyKey(request.get("Idempotency-Key"));
  const { path, body } = request;
  const given = await commands.run(key, { method, route: route.path, path, body }, async (command) => {
    const ofCommand = { ...asked, command, ...(key !== undefined && { closed: NEVER }) };
    try {
      return { status, json: await jsonInTurns(await answer(ofCommand)) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return { status: error.status, json: JSON.stringify(errorBody(error.status, error.problems)) };
    }
  });
  response
    .status(given.status)
    .set(given.headers ?? {})
    .type("json")
    .send(given.json);
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

/**
 * Writes texts as fast as the client takes them, and ends the response. A client that goes ends the texts, too.
 * @throws whatever making the texts throws. Then the response is cut off.
 */
export async function endWithTexts(response: Response, texts: AsyncGenerator<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(texts, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

const NEVER = new AbortController().signal;

/** @throws OperatorError 400 if the header is not a valid key. */
function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || (header !== "" && header.length <= MAX_IDEMPOTENCY_KEY)) return header;
  throw new OperatorError(400, `Idempotency-Key takes 1 to ${MAX_IDEMPOTENCY_KEY} characters`);
}

const firstOf = (value: unknown): string => (Array.isArray(value) ? firstOf(value[0]) : String(value));

/** @throws OperatorError 400 if the header is not a valid name. */
function operatorName(header: string | undefined): string {
  if (header === undefined) return UNNAMED;
  const name = decoded(header)?.trim() ?? "";
  if (name !== "" && name.length <= MAX_NAME_LENGTH && !/[\p{Cc}\p{Bidi_Control}]/u.test(name)) return name;
  throw new OperatorError(400, `${OPERATOR_NAME_HEADER} takes a name of at most ${MAX_NAME_LENGTH} characters`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function respondError(response: Response, status: number, message: string | readonly string[]): void {
  response.status(status).json(errorBody(status, message));
}
