export { type BullJobQueueOptions, openBullJobQueue } from "./bullmq/open-bull-job-queue.ts";
export * from "./job-queue-unavailable.ts";
export * from "./memory/memory-job-queue.ts";
export type { Pauses } from "./pauses.ts";
export * from "./port.ts";
