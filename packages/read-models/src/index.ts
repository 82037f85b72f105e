export * from "./accounts.ts";
export * from "./bookings.ts";
export * from "./destinations.ts";
export * from "./flights.ts";
export * from "./obligations.ts";
export * from "./partitions.ts";
export * from "./sorting.ts";
export * from "./transfer-row.ts";
