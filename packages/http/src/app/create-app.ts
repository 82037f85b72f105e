import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorRequestHandler, Express } from "express";
import type { Route } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import { healthRoutes, mountAuxiliaryRoutes, respond } from "./auxiliary-routes.ts";
import { bareApp } from "./bare-app.ts";
import { HttpExchange, InFlightLimit, MAX_IN_FLIGHT } from "./http-exchange.ts";
import { planRoute, RequestMetrics, requestHistogram } from "./route-plan.ts";
import { expressPath, inMatchingOrder, respondUnrouted } from "./routing.ts";
import { type ServedRequest, serve } from "./serve.ts";

/**
 * The HTTP face of one service, or of several in one process. Express routes; there is no chain of middleware, since
 * every link of one costs every request.
 * @throws Error a route needs something the options do not have.
 */
export function createApp(options: AppOptions): Express {
  const app = bareApp();
  mountRoutes(app, options);
  mountAuxiliaryRoutes(app, { ...healthRoutes(options), ...options.auxiliaryGetRoutes }, options);
  mountAuxiliaryRoutes(app, options.auxiliaryPostRoutes ?? {}, options, "post");
  const outside = (problem: "malformed" | "unmatched", request: IncomingMessage, response: ServerResponse) => {
    const exchange = new HttpExchange(request, response);
    return respond(exchange, options, respondUnrouted(exchange, options, problem));
  };
  app.use((request, response) => outside("unmatched", request, response));
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    if (error?.status === 400) return outside("malformed", request, response);
    return respond(new HttpExchange(request, response), options, Promise.reject(error));
  };
  app.use(onError);
  return app;
}

function mountRoutes(app: Express, options: AppOptions): void {
  const histogram = requestHistogram(options.metrics);
  const services = new Map<string, InFlightLimit>();
  const inFlightOf = (service: string) => {
    const known = services.get(service) ?? new InFlightLimit(options.maxInFlight ?? MAX_IN_FLIGHT);
    services.set(service, known);
    return known;
  };
  for (const route of inMatchingOrder(options.routes)) {
    const plan = planRoute(route, options, {
      inFlight: inFlightOf(route.operation.service),
      metrics: new RequestMetrics(histogram, route.operation.id),
    });
    mount(app, route, (request, response) => {
      void serve(plan, options, request, response);
    });
  }
  options.metrics.labelledGauge("http_requests_in_flight", "Requests being worked on, by service.", () =>
    [...services].map(([service, { count }]) => ({ labels: { service }, value: count })),
  );
}

function mount(
  app: Express,
  { operation }: Route,
  handler: (request: ServedRequest, response: ServerResponse) => void,
): void {
  const path = expressPath(operation.path);
  switch (operation.method) {
    case "GET":
      app.get(path, handler as never);
      break;
    case "POST":
      app.post(path, handler as never);
      break;
    case "PATCH":
      app.patch(path, handler as never);
      break;
    case "DELETE":
      app.delete(path, handler as never);
      break;
  }
}
