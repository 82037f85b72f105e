export * from "./back-off.ts";
export * from "./exclusive.ts";
export * from "./real-time.ts";
export * from "./within.ts";
