export * from "./port.ts";
export * from "./sandbox/ledger.ts";
export * from "./sandbox/ledger-entry.ts";
export * from "./sandbox/sandbox-gateway.ts";
export * from "./sandbox/tokens.ts";
