export * from "./ledger.ts";
export * from "./sandbox-gateway.ts";
export * from "./tokens.ts";
