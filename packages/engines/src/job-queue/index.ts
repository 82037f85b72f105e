import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import { EngineUnavailable } from "../unavailable.ts";

/** Works a lane; the signal is aborted when the lane may be in somebody else's hands. What it throws is a failure. */
export type JobHandler = (lane: string, signal: AbortSignal) => Promise<void>;

export interface JobWorkerOptions {
  /** Lanes worked at the same time by this worker. */
  readonly concurrency: number;
}

export interface JobWorker {
  /** Takes nothing new, and resolves when what runs has come to its end. What is still to be done is left to others. */
  stop(): Promise<void>;
}

/** Lanes, by what they wait for. */
export interface QueueDepth {
  /** A free worker. */
  readonly waiting: number;
  /** Their time: of a wake-up that was asked for later, or of the next attempt after a failure. */
  readonly delayed: number;
  /** Nothing: they are being worked. */
  readonly active: number;
}

/**
 * Wake-ups for lanes. A job is only a wake-up: what is owed to a lane is elsewhere, so a queue that is lost loses
 * nothing that can't be found again.
 *
 * - Wake-ups of one lane before it is worked count as one; the soonest counts.
 * - One that comes while the lane is being worked leads to another run after it.
 * - A lane is not worked twice at once. Only where a worker has not been heard of for long does another take its lanes
 *   over; the first one's signal is aborted, if it lives.
 * - A failed run is repeated, after pauses that grow up to a bound, until one succeeds. A wake-up ends the pause.
 */
export interface JobQueue {
  /**
   * Has the lane worked once, no sooner than after so many milliseconds of real time.
   * @throws JobQueueUnavailable the wake-up may or may not have been kept; also after `close`.
   */
  schedule(lane: string, delayMs?: number): Promise<void>;
  /** Begins to work lanes; there may be several workers, also of other processes. */
  startWorker(handler: JobHandler, options: JobWorkerOptions): JobWorker;
  /** @throws JobQueueUnavailable */
  depth(): Promise<QueueDepth>;
  /** Stops its workers. */
  close(): Promise<void>;
}

/** The queue is closed or out of reach: what was asked of it may or may not have been done. */
export class JobQueueUnavailable extends EngineUnavailable {
  override readonly name = "JobQueueUnavailable";
  override readonly engine = "the job queue";
}

export const DEFAULT_JOB_BACK_OFF: BackoffOptions = { initialMs: 1_000, maxMs: 60_000 };

/** The pause after so many failures in a row, doubling up to the longest. Stateless: BullMQ counts failures in Redis. */
export function backOffDelay(failures: number, { initialMs, maxMs }: BackoffOptions): number {
  return Math.min(initialMs * 2 ** Math.min(failures - 1, 30), maxMs);
}
