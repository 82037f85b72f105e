import { EngineUnavailable } from "../unavailable.ts";

/**
 * Takes the wake-up of a lane. It may be called again at any time, also at once in several processes. It should end soon, as
 * it does not do the lane's work itself, and never rejects.
 */
export type JobHandler = (lane: string) => Promise<void>;

export interface JobWorker {
  /** Resolves when those that were taken have been handled, and no more are. Other workers take the rest. */
  stop(): Promise<void>;
}

/**
 * Wakes lanes. A job is only a wake-up, and the work of a lane is stored elsewhere: a queue that is lost loses nothing
 * that can't be found again.
 *
 * A handler is called for each wake-up, in one of the workers, once its delay is over; wake-ups that wait until a worker
 * starts are kept. Of several of one lane that wait, the later ones may be left out.
 */
export interface JobQueue {
  /**
   * Wakes the lane, no earlier than after `delayMs` of real time.
   * @throws JobQueueUnavailable the wake-up may have been stored; also after `close`.
   */
  schedule(lane: string, delayMs?: number): Promise<void>;
  /** Starts a worker; there may be several, also in other processes. */
  startWorker(handler: JobHandler): JobWorker;
  /** Stops its workers. */
  close(): Promise<void>;
}

/** The queue is closed or out of reach; a wake-up may have been stored. */
export class JobQueueUnavailable extends EngineUnavailable {
  override readonly name = "JobQueueUnavailable";
  override readonly engine = "the job queue";
}
