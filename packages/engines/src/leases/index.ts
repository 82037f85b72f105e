export * from "./held-record.ts";
export * from "./leases.ts";
export * from "./terms.ts";
export * from "./watch.ts";
