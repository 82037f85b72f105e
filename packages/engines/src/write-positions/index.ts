export * from "./port.ts";
export * from "./write-position-not-recorded.ts";
