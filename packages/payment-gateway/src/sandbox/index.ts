export * from "./ledger.ts";
export * from "./ledger-entry.ts";
export * from "./sandbox-gateway.ts";
export * from "./tokens.ts";
