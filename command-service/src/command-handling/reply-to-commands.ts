import { StreamBusy } from "./command-execution.ts";
import type { DecidedBatch } from "./decide-batch.ts";
import type { DecidedCommand, QueuedCommand, StreamQueue } from "./stream-queue.ts";

/** A command is decided anew at most so often when its stream turns out to be elsewhere. */
const MAX_CONFLICTS = 20;

/** Answers the jobs of a batch, or some of them. Everything they rest on is at or before that position. */
export function replyToCommands(
  batch: DecidedBatch,
  position: bigint,
  isAnswered: (settled: DecidedCommand) => boolean = () => true,
): void {
  for (const settled of batch.decided) {
    if (!isAnswered(settled)) continue;
    const { command, result } = settled;
    if ("error" in result) command.reject(result.error);
    else if ("rejection" in result) command.resolve({ accepted: false, rejection: result.rejection, position });
    else command.resolve({ accepted: true, reply: result.reply, position });
  }
}

/** A refusal ends its request: it waits for what it rests on, whatever the step. */
export function repliesBeforeDurable({ command, result }: DecidedCommand): boolean {
  return command.execution.replyBeforeDurable === true && "reply" in result;
}

/** Has jobs that could not be recorded decided anew, before all others; not for ever. */
export function requeue(lane: StreamQueue, jobs: readonly QueuedCommand[]): void {
  const again = jobs.filter((job) => {
    job.conflicts += 1;
    if (job.conflicts <= MAX_CONFLICTS) return true;
    job.reject(new StreamBusy(`stream ${lane.stream} kept changing`));
    return false;
  });
  lane.commands = [...again, ...lane.commands];
}
