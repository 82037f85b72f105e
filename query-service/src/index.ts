export { EventTail, type EventTailOptions } from "./events/event-tail.ts";
export type { QueryDependencies } from "./query-dependencies.ts";
export { queryRoutes } from "./routes.ts";
