export { EventNotifier } from "./event-notifier.ts";
export { queryRole } from "./query-role.ts";
export { queryRoutes } from "./routes.ts";
