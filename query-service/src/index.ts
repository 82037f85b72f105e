export { EventNotifier } from "./event-notifier.ts";
export { openApiRoutes } from "./openapi/openapi-routes.ts";
export { openPrinter } from "./printer.ts";
export { queryRoutes } from "./routes.ts";
