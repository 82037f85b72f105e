import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { QueuedCommand } from "./stream-queue.ts";

/** Whether no other attempt at any of these has begun: then nothing has to be searched. Far the most common case. */
export function areFirstAttempts(jobs: readonly QueuedCommand[], revision: number): boolean {
  try {
    for (const job of jobs) {
      if (job.execution.context?.repeated === true) return false;
      job.repeated = false;
      job.searchedToRevision = revision;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * The jobs that may be decided on the stream as it is known up to `revision`. Each is asked, now that this has been
 * read, whether another attempt at its command may have been recorded. Where none had begun yet nothing of it can be
 * there, and what is recorded from here on is found by the append. One that was overtaken is refused.
 */
export function withoutSuperseded(jobs: readonly QueuedCommand[], revision: number): readonly QueuedCommand[] {
  return jobs.filter((job) => isStillCurrent(job, revision));
}

function isStillCurrent(job: QueuedCommand, revision: number): boolean {
  const { context } = job.execution;
  if (context === undefined) return true;
  try {
    job.repeated = context.repeated;
  } catch (error) {
    job.reject(error);
    return false;
  }
  if (!job.repeated) job.searchedToRevision = Math.max(job.searchedToRevision, revision);
  return true;
}

/**
 * Whether another attempt may have begun since the job was decided. What that one is refused must not be stored by an
 * append of this one that is sent once more.
 */
export function mayBeSuperseded({ repeated, execution: { context } }: QueuedCommand): boolean {
  try {
    return context?.repeated === true && !repeated;
  } catch {
    return true;
  }
}

/** From which revision on the stream has to be searched for other attempts at these commands; undefined: nowhere. */
export function firstUnsearchedRevision(jobs: readonly QueuedCommand[], revision: number): number | undefined {
  const unsearched = jobs.filter(
    (job) => job.repeated && job.earlierEvents.length === 0 && job.searchedToRevision < revision,
  );
  return unsearched.length === 0 ? undefined : Math.min(...unsearched.map((job) => job.searchedToRevision)) + 1;
}

/** Looks in all that was read from a revision on for what other attempts recorded. `upTo`: its last revision. */
export function collectEarlierEvents(
  jobs: readonly QueuedCommand[],
  events: readonly RecordedEvent[],
  from: number,
  upTo: number,
): void {
  const byCommand = new Map<string, QueuedCommand>();
  for (const job of jobs) if (job.execution.context) byCommand.set(job.execution.context.commandId, job);
  for (const event of events) {
    const job = byCommand.get(event.metadata.commandId);
    if (job !== undefined && event.revision > job.searchedToRevision) job.earlierEvents = [...job.earlierEvents, event];
  }
  for (const job of jobs)
    if (job.searchedToRevision + 1 >= from) job.searchedToRevision = Math.max(job.searchedToRevision, upTo);
}
