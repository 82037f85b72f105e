export * from "./attempt-log.ts";
export * from "./due-deliveries.ts";
export * from "./endpoint-deliveries.ts";
export * from "./endpoint-states.ts";
export * from "./fan-out-checkpoint.ts";
export * from "./lane-key.ts";
export * from "./lanes.ts";
export { LANE_QUEUE } from "./queue-name.ts";
export * from "./replay-requests.ts";
