export * from "./another-log.ts";
export * from "./internal-calls.ts";
export { type LimitCounters, publicApp, unavailableResponse, withProjectionFallback } from "./public-app.ts";
export * from "./run-service.ts";
export * from "./secret-key.ts";
export * from "./server-connections.ts";
export { readyLines, serve, serveHealth, unusualLines } from "./serving.ts";
export * from "./settings.ts";
export * from "./shared-state.ts";
