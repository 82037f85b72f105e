import { EngineUnavailable } from "../unavailable.ts";

/** The queue is closed or out of reach: what was asked of it may or may not have been done. */
export class JobQueueUnavailable extends EngineUnavailable {
  override readonly name = "JobQueueUnavailable";
  override readonly engine = "the job queue";
}
