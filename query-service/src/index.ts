export type { BoardingPassDependencies } from "./boarding-passes/dependencies.ts";
export { type OpenPrinterOptions, openPrinter } from "./boarding-passes/open-printer.ts";
export { EventNotifier, type EventNotifierOptions } from "./events/event-notifier.ts";
export { type OpenApiRoutes, openApiRoutes } from "./openapi/openapi-routes.ts";
export type { QueryDependencies } from "./query-dependencies.ts";
export { queryRoutes } from "./routes.ts";
