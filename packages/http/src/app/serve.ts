import type { OutgoingHttpHeaders } from "node:http";
import { GUARDING_HEADERS, INTERNAL_ERROR, OUTCOME_UNKNOWN, OVERLOADED } from "../error-response.ts";
import { rateHeaders } from "../rate-limit.ts";
import { discardBody } from "../request/body.ts";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { crossOriginHeaders } from "./cross-origin.ts";
import { handleRequest } from "./handle-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { endInTurns } from "./in-turns.ts";
import type { RoutePlan } from "./route-plan.ts";
import type { Aborted } from "./validate.ts";

const JSON_TYPE = "application/json; charset=utf-8";
/** The status in the metrics of a request whose client disconnected before it was complete. */
const CLIENT_CLOSED_REQUEST = 499;

/** Serves one request of an operation: refuses it if too many are in flight, measures, and responds. Never rejects. */
export async function serveOperation(exchange: HttpExchange, plan: RoutePlan, options: AppOptions): Promise<void> {
  const { inFlight, observeDuration } = plan;
  const { id } = plan.route.operation;
  exchange.deprecation = plan.deprecation;
  const handle = () => (inFlight.isOverloaded ? OVERLOADED : handleRequest(exchange, plan, options));
  const status = await respond(exchange, options, handle, id);
  exchange.leave();
  const duration = performance.now() - exchange.startedAt;
  observeDuration(status, duration);
  if (options.logger.isLevelEnabled("debug")) {
    const { requestId, request } = exchange;
    // The query and parts that can't be ids are left out, because a search may name people.
    const segments = (request.url ?? "").split("?", 1)[0]?.split("/") ?? [];
    const path = segments.map((segment) => (/[^\w.-]/.test(segment) ? "…" : segment)).join("/");
    const ms = Math.round(duration * 10) / 10;
    options.logger.debug({ method: request.method, path, status, ms, operation: id, requestId }, "answered");
  }
}

export type RespondOptions = Pick<AppOptions, "logger" | "lifecycle" | "mapError" | "corsOrigins">;

/** Writes the response that `handle` returns, or the one for its error. Never rejects. Resolves to the status. */
export async function respond(
  exchange: HttpExchange,
  options: RespondOptions,
  handle: () => ApiResponse | Aborted | Promise<ApiResponse | Aborted>,
  operation?: string,
): Promise<number> {
  let response: ApiResponse | Aborted;
  try {
    response = await handle();
  } catch (error) {
    response = errorResponseFor(error, exchange, options, operation);
  }
  if (response === "aborted") return CLIENT_CLOSED_REQUEST;
  try {
    send(exchange, response, options);
    return response.status;
  } catch (error) {
    options.logger.error({ err: error, requestId: exchange.requestId }, "could not write a response");
    exchange.response.destroy();
    return 500;
  }
}

function errorResponseFor(
  error: unknown,
  { requestId, command }: HttpExchange,
  { mapError, logger }: RespondOptions,
  operation: string | undefined,
): ApiResponse {
  const mapped = mapError?.(error);
  const response = failureResponse(mapped, command);
  const fields = { err: error, requestId, ...(operation === undefined ? {} : { operation }) };
  if (mapped === undefined) logger.error(fields, "a request failed");
  else logger.warn({ ...fields, status: response.status }, "a request could not be served");
  return response;
}

/**
 * The response to a request that has failed (docs/rules.md#failures).
 * @param mapped the response to the error, if the error was foreseen.
 * @param command of the request; null if the command has not begun.
 */
export function failureResponse(mapped: ApiResponse | undefined, command: CommandIdentity | null): ApiResponse {
  if (command === null) return mapped ?? INTERNAL_ERROR;
  return mapped === undefined || command.mayHaveActed === true ? OUTCOME_UNKNOWN : mapped;
}

/** Writes a response: a text in one piece, a file or a page in several. */
function send(exchange: HttpExchange, answer: ApiResponse, { lifecycle, corsOrigins }: RespondOptions): void {
  const { status, json, headers: own } = answer;
  const { request, response, rate, apiVersion } = exchange;
  const headers: OutgoingHttpHeaders = {
    "X-Request-Id": exchange.requestId,
    ...GUARDING_HEADERS,
    ...(rate && rateHeaders(rate)),
    ...(apiVersion !== undefined && { "Service-Version": apiVersion }),
    ...exchange.deprecation,
    ...((lifecycle?.stopping === true || exchange.mustClose) && { Connection: "close" }),
    ...(json !== null && { "Content-Type": JSON_TYPE, "Content-Length": Buffer.byteLength(json) }),
    ...own,
    ...(corsOrigins && crossOriginHeaders(exchange, corsOrigins, own)),
  };
  // The length of the response to GET is unknown here, so HEAD without a body reports none.
  if (json === null && status !== 204 && status !== 304 && request.method !== "HEAD") headers["Content-Length"] = 0;
  discardBody(request);
  response.writeHead(status, headers);
  if (json === null || typeof json === "string") response.end(json);
  else endInTurns(response, json);
}
