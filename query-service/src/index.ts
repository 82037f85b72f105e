export type { BoardingPassDependencies } from "./boarding-passes/dependencies.ts";
export { type OpenPrinterOptions, openPrinter } from "./boarding-passes/open-printer.ts";
export { EventTail, type EventTailOptions } from "./events/event-tail.ts";
export { type PublishedInterface, publishedInterface } from "./interface/published-interface.ts";
export type { QueryDependencies } from "./query-dependencies.ts";
export { queryRoutes } from "./routes.ts";
