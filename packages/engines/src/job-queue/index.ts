import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import { EngineUnavailable } from "../unavailable.ts";

/** Works a lane. The signal aborts when another worker may have taken the lane. A rejection is a failed run. */
export type JobHandler = (lane: string, signal: AbortSignal) => Promise<void>;

export interface JobWorkerOptions {
  /** Lanes worked concurrently by this worker. */
  readonly concurrency: number;
}

export interface JobWorker {
  /** Starts no new run, and resolves when the present ones have ended. Other workers do the rest. */
  stop(): Promise<void>;
}

/** Numbers of lanes by state. */
export interface QueueDepth {
  /** Due, and waiting for a free worker. */
  readonly waiting: number;
  /** Not due yet: a delayed wake-up, or a retry after a failure. */
  readonly delayed: number;
  readonly active: number;
}

/**
 * Wakes lanes. A job is only a wake-up, and the work of a lane is stored elsewhere: a queue that is lost loses nothing
 * that can't be found again.
 *
 * - Wake-ups of a lane before its run are merged; the earliest counts.
 * - A wake-up during a run leads to another run after it.
 * - A lane has one run at a time. A worker that is silent for long loses its lanes to others; its signals abort, if it
 * is alive.
 * - A failed run is retried, after pauses that grow up to a limit, until one succeeds. A wake-up ends the pause.
 */
export interface JobQueue {
  /**
   * Schedules one run of the lane, no earlier than after `delayMs` of real time.
   * @throws JobQueueUnavailable the wake-up may have been stored; also after `close`.
   */
  schedule(lane: string, delayMs?: number): Promise<void>;
  /** Starts a worker; there may be several, also in other processes. */
  startWorker(handler: JobHandler, options: JobWorkerOptions): JobWorker;
  /** @throws JobQueueUnavailable */
  depth(): Promise<QueueDepth>;
  /** Stops its workers. */
  close(): Promise<void>;
}

/** The queue is closed or out of reach; a wake-up may have been stored. */
export class JobQueueUnavailable extends EngineUnavailable {
  override readonly name = "JobQueueUnavailable";
  override readonly engine = "the job queue";
}

export const DEFAULT_JOB_BACK_OFF: BackoffOptions = { initialMs: 1_000, maxMs: 60_000 };

/** The pause after so many failures in a row, doubling up to the longest. Stateless: BullMQ counts failures in Redis. */
export function backOffDelay(failures: number, { initialMs, maxMs }: BackoffOptions): number {
  return Math.min(initialMs * 2 ** Math.min(failures - 1, 30), maxMs);
}
