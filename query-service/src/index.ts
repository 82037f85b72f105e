export type { QueryDependencies } from "./query-dependencies.ts";
export { queryRoutes } from "./routes.ts";
