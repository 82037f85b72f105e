export * from "./command-services.ts";
export * from "./counting-handler.ts";
export * from "./fault-points.ts";
export * from "./gauges.ts";
export * from "./obligations.ts";
export * from "./schedule-under-lease.ts";
export * from "./shared-clock.ts";
export * from "./standing.ts";
