export * from "./leases.ts";
export * from "./presence.ts";
export * from "./record-lease.ts";
