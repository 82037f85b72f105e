export type { JobBackOff } from "./job-back-off.ts";
export * from "./job-queue-unavailable.ts";
export * from "./port.ts";
