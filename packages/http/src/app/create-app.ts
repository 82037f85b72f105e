import express, { type ErrorRequestHandler, type Express } from "express";
import { UNKNOWN_PATH } from "../error-response.ts";
import type { ApiResponse, PlainRoute } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { type HealthOptions, healthRoutes } from "./health.ts";
import { HttpExchange, InFlight } from "./http-exchange.ts";
import { planRoute, requestDurations } from "./route-plan.ts";
import { expressPath, inMatchingOrder, unroutedResponse } from "./routing.ts";
import { type RespondOptions, respond, serveOperation } from "./serve.ts";
import { readRaw } from "./validate.ts";

/**
 * The HTTP interface of one service, or of several in one process. Express only routes. There is no middleware: each
 * one would cost time on every request.
 */
export function createApp(options: AppOptions): Express {
  const app = bareApp();
  mountOperations(app, options);
  mountPlainRoutes(app, [...healthRoutes(options), ...(options.plainRoutes ?? [])], options);
  mountFallback(app, options, (exchange, problem) => unroutedResponse(exchange, options, problem));
  return app;
}

/** The HTTP interface of a service without operations of the API: health only. */
export function createHealthApp(options: HealthOptions): Express {
  const app = bareApp();
  mountPlainRoutes(app, healthRoutes(options), options);
  mountFallback(app, options, () => UNKNOWN_PATH);
  return app;
}

/** An Express app that adds nothing of its own to a request or a response. */
function bareApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", false);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  return app;
}

function mountOperations(app: Express, options: AppOptions): void {
  const durationsOf = requestDurations(options.metrics);
  const pools = new Map<string, InFlight>();
  for (const route of inMatchingOrder(options.routes)) {
    const { id, service, scope, method, path } = route.operation;
    // Requests without a credential have a pool of their own, so that they do not delay those with one.
    const pool = scope === null ? "anonymous" : service;
    const inFlight = pools.get(pool) ?? new InFlight(options.inFlight);
    pools.set(pool, inFlight);
    const plan = planRoute(route, { inFlight, observeDuration: durationsOf(id) });
    mount(app, method, expressPath(path), (exchange) => serveOperation(exchange, plan, options));
  }
  options.metrics.labelledGauge("http_requests_in_flight", "Requests being worked on, by service.", () =>
    [...pools].map(([service, { count }]) => ({ labels: { service }, value: count })),
  );
}

function mountPlainRoutes(app: Express, routes: readonly PlainRoute[], options: RespondOptions): void {
  for (const { method, path, body, handler } of routes) {
    mount(app, method, path, (exchange) =>
      respond(exchange, options, async () => {
        if (body !== undefined) {
          const read = await readRaw(exchange, body);
          if (read === "aborted") return read;
          exchange.body = read;
        }
        return handler(exchange);
      }),
    );
  }
}

function mount(app: Express, method: string, path: string, serve: (exchange: HttpExchange) => Promise<unknown>): void {
  const register = method.toLowerCase() as "get" | "post" | "patch" | "delete";
  app[register](path, (request, response) => {
    // Paths have no wildcards: each parameter is one text. The promise never rejects, and Express need not wait for it.
    void serve(new HttpExchange(request, response, request.params as Readonly<Record<string, string>>));
  });
}

/** Serves what no route matches, and paths that Express cannot decode. */
function mountFallback(
  app: Express,
  options: RespondOptions,
  handle: (exchange: HttpExchange, problem: "malformed" | "unmatched") => ApiResponse | Promise<ApiResponse>,
): void {
  app.use((request, response) => {
    const exchange = new HttpExchange(request, response);
    void respond(exchange, options, () => handle(exchange, "unmatched"));
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    const exchange = new HttpExchange(request, response);
    void respond(exchange, options, () => {
      if (error?.status === 400) return handle(exchange, "malformed");
      throw error;
    });
  };
  app.use(onError);
}
