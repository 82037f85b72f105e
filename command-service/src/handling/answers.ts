import type { DecidedBatch } from "./decide-jobs.ts";
import { StreamBusy } from "./execution.ts";
import type { Job, Lane, Settled } from "./lane.ts";

/** A command is decided anew at most so often when its stream turns out to be elsewhere. */
const MOST_CONFLICTS = 20;

/** Answers the jobs of a batch, or some of them. Everything they rest on is at or before that position. */
export function answer(
  batch: DecidedBatch,
  position: bigint,
  isAnswered: (settled: Settled) => boolean = () => true,
): void {
  for (const settled of batch.settled) {
    if (!isAnswered(settled)) continue;
    const { job, result } = settled;
    if ("error" in result) job.reject(result.error);
    else if ("rejection" in result) job.resolve({ accepted: false, rejection: result.rejection, position });
    else job.resolve({ accepted: true, reply: result.reply, position });
  }
}

/** A refusal ends its request: it waits for what it rests on, whatever the step. */
export function isAnsweredWhenDecided({ job, result }: Settled): boolean {
  return job.execution.whenDecided === true && "reply" in result;
}

/** Has jobs that could not be recorded decided anew, before all others; not for ever. */
export function requeue(lane: Lane, jobs: readonly Job[]): void {
  const again = jobs.filter((job) => {
    job.conflicts += 1;
    if (job.conflicts <= MOST_CONFLICTS) return true;
    job.reject(new StreamBusy(`stream ${lane.stream} kept changing`));
    return false;
  });
  lane.jobs = [...again, ...lane.jobs];
}
