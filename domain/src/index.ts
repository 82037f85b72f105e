export * from "./account/events.ts";
export * from "./booking/events.ts";
export * from "./destination/events.ts";
export * from "./flight/events.ts";
export * from "./shared/cabin.ts";
export * from "./shared/decision.ts";
export * from "./shared/durations.ts";
export * from "./shared/exhausted.ts";
