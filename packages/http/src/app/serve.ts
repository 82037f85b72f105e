import type { IncomingMessage, ServerResponse } from "node:http";
import { INTERNAL_ERROR, unavailable } from "../errors/error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { handleRequest } from "./handle-request.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { RoutePlan } from "./route-plan.ts";
import { send } from "./send.ts";

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
