export * from "./clock.ts";
export * from "./ids.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./secrets.ts";
export * from "./settings.ts";
export * from "./shutdown.ts";
export * from "./vitals.ts";
