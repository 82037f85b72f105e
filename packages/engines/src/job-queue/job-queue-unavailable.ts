/** The queue is closed or out of reach: what was asked of it may or may not have been done. */
export class JobQueueUnavailable extends Error {
  override readonly name = "JobQueueUnavailable";
}
