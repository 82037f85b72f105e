import type { ErrorRequestHandler, Express } from "express";
import { errorResponse, INTERNAL_ERROR } from "../errors/error-response.ts";
import { live, metricsPage, ready } from "../health/health.ts";
import type { ApiResponse } from "../route.ts";
import type { Lifecycle } from "../server/lifecycle.ts";
import type { AppOptions } from "./app-options.ts";
import { bareApp } from "./bare-app.ts";
import { Exchange } from "./exchange.ts";
import type { Page } from "./page.ts";
import { send } from "./send.ts";
import { isStopping } from "./serve.ts";

const RUNNING: Lifecycle = { stopping: false };
const UNKNOWN_PATH = errorResponse(404, "There is nothing at this path.");

export type HealthOptions = Pick<AppOptions, "metrics" | "readiness" | "lifecycle" | "logger">;

/** `/health/live`, `/health/ready`, `/metrics`: without a credential. */
export function healthPages({ readiness = {}, lifecycle = RUNNING, metrics }: HealthOptions) {
  return {
    "/health/live": live,
    "/health/ready": () => ready(readiness, lifecycle),
    "/metrics": () => metricsPage(metrics),
  } satisfies Readonly<Record<string, Page>>;
}

export function mountPages(
  app: Express,
  pages: Readonly<Record<string, Page>>,
  options: HealthOptions,
  method: "get" | "post" = "get",
): void {
  for (const [path, page] of Object.entries(pages)) {
    app[method](path, (request, response) => {
      const exchange = new Exchange(request, response);
      exchange.params = request.params as Readonly<Record<string, string>>;
      return reply(
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
  mountPages(app, healthPages(options), options);
  app.use((request, response) => reply(new Exchange(request, response), options, Promise.resolve(UNKNOWN_PATH)));
  const onError: ErrorRequestHandler = (error, request, response, _next) =>
    reply(new Exchange(request, response), options, Promise.reject(error));
  app.use(onError);
  return app;
}

/** Answers what is no operation. Never rejects. */
export async function reply(
  exchange: Exchange,
  options: Pick<AppOptions, "logger" | "lifecycle">,
  answer: Promise<ApiResponse>,
): Promise<void> {
  const response = await answer.catch((error) => {
    options.logger.error({ err: error, requestId: exchange.requestId }, "a request failed");
    return INTERNAL_ERROR;
  });
  send(exchange, response, isStopping(options));
}
