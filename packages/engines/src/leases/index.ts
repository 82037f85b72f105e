export * from "./lease-fractions.ts";
export * from "./leases.ts";
export * from "./record-lease.ts";
export * from "./version-watch.ts";
