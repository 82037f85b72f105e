export { type BullMqJobQueueOptions, openBullMqJobQueue } from "./bullmq/open-bullmq-job-queue.ts";
export type { JobBackOff } from "./job-back-off.ts";
export * from "./job-queue-unavailable.ts";
export * from "./memory/in-memory-job-queue.ts";
export * from "./port.ts";
