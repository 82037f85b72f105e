export * from "./attempt-log.ts";
export * from "./backlogs.ts";
export * from "./delivery-store.ts";
export * from "./due-deliveries.ts";
export * from "./endpoint-deliveries.ts";
export * from "./endpoint-states.ts";
export * from "./fan-out-state.ts";
export * from "./lanes.ts";
