import type { JobsOptions } from "bullmq";

/** What a job carries. */
export interface JobData {
  readonly lane: string;
}

/**
 * How a wake-up is put into the queue.
 *
 * One job stands for a lane, told by its deduplication id and not by the job's: a job that is added while one with its id
 * is being worked is dropped without a word, whereas `keepLastIfActive` keeps it to follow. A job of its own id each
 * time, as counted ids begin anew where Redis was emptied, and would meet those of jobs that are still being worked.
 */
export function jobOptions(lane: string, delay: number): JobsOptions {
  return {
    jobId: crypto.randomUUID(),
    delay,
    deduplication: { id: lane, keepLastIfActive: true, reschedule: true },
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: "custom" },
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
}
