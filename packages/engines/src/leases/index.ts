export * from "./leases.ts";
export * from "./record-lease.ts";
