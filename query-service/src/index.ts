export type { BoardingPassDependencies, QueryDependencies } from "./dependencies.ts";
export { EventNotifier, type EventNotifierOptions } from "./event-notifier.ts";
export { type OpenApiRoutes, openApiRoutes } from "./openapi/openapi-routes.ts";
export { type OpenPrinterOptions, openPrinter } from "./printer.ts";
export { queryRoutes } from "./routes.ts";
