export * from "./parse-body.ts";
export * from "./port.ts";
export * from "./position-sort.ts";
