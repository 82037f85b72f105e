import type { ErrorRequestHandler, Express } from "express";
import { errorResponse, INTERNAL_ERROR } from "../error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { Lifecycle } from "../server.ts";
import type { AppOptions } from "./app-options.ts";
import type { AuxiliaryHandler } from "./auxiliary-handler.ts";
import { bareApp } from "./bare-app.ts";
import { livenessResponse, metricsResponse, readinessResponse } from "./health.ts";
import { HttpExchange } from "./http-exchange.ts";
import { isStopping, send } from "./serve.ts";

const RUNNING: Lifecycle = { stopping: false };
const UNKNOWN_PATH = errorResponse(404, "There is nothing at this path.");

export type HealthOptions = Pick<AppOptions, "metrics" | "readiness" | "lifecycle" | "logger">;

/** `/health/live`, `/health/ready`, `/metrics`: without a credential. */
export function healthRoutes({ readiness = {}, lifecycle = RUNNING, metrics }: HealthOptions) {
  return {
    "/health/live": livenessResponse,
    "/health/ready": () => readinessResponse(readiness, lifecycle),
    "/metrics": () => metricsResponse(metrics),
  } satisfies Readonly<Record<string, AuxiliaryHandler>>;
}

export function mountAuxiliaryRoutes(
  app: Express,
  pages: Readonly<Record<string, AuxiliaryHandler>>,
  options: HealthOptions,
  method: "get" | "post" = "get",
): void {
  for (const [path, page] of Object.entries(pages)) {
    app[method](path, (request, response) => {
      const exchange = new HttpExchange(request, response);
      exchange.params = request.params as Readonly<Record<string, string>>;
      return respond(
        exchange,
        options,
        Promise.resolve().then(() => page(exchange)),
      );
    });
  }
}

/** The HTTP face of a service that has no operation of the API: it says how it is, and nothing else. */
export function createHealthApp(options: HealthOptions): Express {
  const app = bareApp();
  mountAuxiliaryRoutes(app, healthRoutes(options), options);
  app.use((request, response) => respond(new HttpExchange(request, response), options, Promise.resolve(UNKNOWN_PATH)));
  const onError: ErrorRequestHandler = (error, request, response, _next) =>
    respond(new HttpExchange(request, response), options, Promise.reject(error));
  app.use(onError);
  return app;
}

/** Answers what is no operation. Never rejects. */
export async function respond(
  exchange: HttpExchange,
  options: Pick<AppOptions, "logger" | "lifecycle">,
  answer: Promise<ApiResponse>,
): Promise<void> {
  const response = await answer.catch((error) => {
    options.logger.error({ err: error, requestId: exchange.requestId }, "a request failed");
    return INTERNAL_ERROR;
  });
  send(exchange, response, isStopping(options));
}
