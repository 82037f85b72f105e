import type { IncomingMessage, ServerResponse } from "node:http";
import { INTERNAL_ERROR, unavailable } from "../error-response.ts";
import { pushRateHeaders } from "../rate-limit.ts";
import type { ApiResponse } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { handleRequest } from "./handle-request.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { RoutePlan } from "./route-plan.ts";

const OVERLOADED = unavailable("The service is overloaded; try again.");
/** What the metrics say of a request whose client went away before it was complete. */
const CLIENT_CLOSED_REQUEST = 499;

export interface ServedRequest extends IncomingMessage {
  readonly params?: Record<string, string>;
}

/** Answers one request of a route. Never rejects. */
export async function serve(
  plan: RoutePlan,
  options: AppOptions,
  request: ServedRequest,
  response: ServerResponse,
): Promise<void> {
  const exchange = new HttpExchange(request, response);
  if (request.params !== undefined) exchange.params = request.params;
  exchange.deprecation = plan.deprecation;
  const { inFlight, metrics } = plan;
  if (inFlight.isFull) {
    send(exchange, OVERLOADED, isStopping(options));
    metrics.observe(OVERLOADED.status, performance.now() - exchange.startedAt);
    return;
  }
  inFlight.count += 1;
  exchange.inFlight = inFlight;
  let status: number;
  try {
    const answered = await handleRequest(exchange, plan, options).catch((error) =>
      errorResponseFor(error, exchange, plan, options),
    );
    status = answered === "gone" ? CLIENT_CLOSED_REQUEST : answered.status;
    if (answered !== "gone") send(exchange, answered, isStopping(options));
  } catch (error) {
    // The answer could not be written: its connection is of no use any more.
    status = 500;
    options.logger.error({ err: error, requestId: exchange.requestId }, "could not write a response");
    response.destroy();
  }
  inFlight.count -= 1;
  const duration = performance.now() - exchange.startedAt;
  metrics.observe(status, duration);
  if (options.logger.isLevelEnabled("debug")) {
    const { id } = plan.route.operation;
    options.logger.debug({ requestId: exchange.requestId, operation: id, status, ms: duration }, "answered");
  }
}

export function isStopping({ lifecycle }: Pick<AppOptions, "lifecycle">): boolean {
  return lifecycle?.stopping === true;
}

function errorResponseFor(
  error: unknown,
  exchange: HttpExchange,
  plan: RoutePlan,
  { mapError, logger }: AppOptions,
): ApiResponse {
  const mapped = mapError?.(error);
  const { requestId } = exchange;
  const operation = plan.route.operation.id;
  if (mapped === undefined) logger.error({ err: error, requestId, operation }, "a request failed");
  else logger.warn({ err: error, requestId, operation, status: mapped.status }, "a request could not be served");
  return mapped ?? INTERNAL_ERROR;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Writes a response. The only place that does: in one piece, with headers as a flat list, because this is on the path
 * of every request.
 */
export function send(exchange: HttpExchange, { status, json, headers: own }: ApiResponse, closing: boolean): void {
  const { response } = exchange;
  const headers: (string | number)[] = ["X-Request-Id", exchange.requestId];
  let contentType: string | undefined = json === null ? undefined : JSON_TYPE;
  if (exchange.rate !== undefined) pushRateHeaders(headers, exchange.rate);
  if (exchange.apiVersion !== undefined) headers.push("Service-Version", exchange.apiVersion);
  if (exchange.deprecation !== undefined) {
    for (const [name, value] of Object.entries(exchange.deprecation)) headers.push(name, value);
  }
  if (closing) headers.push("Connection", "close");
  if (own !== undefined) {
    for (const [name, value] of Object.entries(own)) {
      if (name === "Content-Type") contentType = value;
      else headers.push(name, value);
    }
  }
  if (contentType !== undefined) headers.push("Content-Type", contentType);
  if (json === null) {
    // How long an answer to HEAD would have been is left unsaid where it was not made.
    if (status !== 204 && status !== 304 && exchange.request.method !== "HEAD") headers.push("Content-Length", 0);
    response.writeHead(status, headers);
    response.end();
  } else if (typeof json === "string") {
    headers.push("Content-Length", Buffer.byteLength(json));
    response.writeHead(status, headers);
    response.end(json);
  } else {
    headers.push("Content-Length", json.byteLength);
    response.writeHead(status, headers);
    // Node sends the head and a text in one piece, the head and bytes in two.
    response.end(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("latin1"), "latin1");
  }
}
