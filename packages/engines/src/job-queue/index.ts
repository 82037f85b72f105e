import { EngineUnavailable } from "../unavailable.ts";

/**
 * Handles the wake-up of a lane. It may be called again at any time, even in several processes at once. It should end
 * soon, as it does not do the lane's work itself, and never rejects.
 */
export type JobHandler = (lane: string) => Promise<void>;

export interface JobWorker {
  /** Takes no more wake-ups; other workers do. Resolves when the ones taken before have been handled. */
  stop(): Promise<void>;
}

/**
 * Wakes lanes. A job is only a wake-up, and the work of a lane is stored elsewhere. So a lost queue loses nothing that
 * can't be found again.
 *
 * For each wake-up, a handler is called in one of the workers once its delay is over. Wake-ups are kept until a worker
 * starts. If several of a lane wait, the later ones may be left out.
 */
export interface JobQueue {
  /**
   * Wakes the lane, no earlier than after `delayMs` of real time.
   * @throws JobQueueUnavailable the wake-up may have been stored; also after `close`.
   */
  schedule(lane: string, delayMs?: number): Promise<void>;
  /** Starts a worker. There may be several, even in other processes. */
  startWorker(handler: JobHandler): JobWorker;
  /** Stops the workers of this process. */
  close(): Promise<void>;
}

/** The queue is closed or out of reach; a wake-up may have been stored. */
export class JobQueueUnavailable extends EngineUnavailable {
  override readonly name = "JobQueueUnavailable";
  override readonly engine = "the job queue";
}
