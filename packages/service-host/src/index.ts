export * from "./core.ts";
export * from "./internal-calls.ts";
export { unavailableResponse, withProjectionFallback } from "./public-app.ts";
export * from "./run-service.ts";
export * from "./secret-key.ts";
export * from "./server-connections.ts";
export { readyLines, serveHealth, serveParts, unusualLines } from "./serving.ts";
export * from "./settings.ts";
export * from "./shared-state.ts";
