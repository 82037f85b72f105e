import type { Decision, DomainEvent } from "@travel-booking/domain";
import type { EventMetadata, EventToAppend } from "@travel-booking/engines/event-store";
import { type CommandIdGenerator, eventId } from "@travel-booking/runtime";
import type { CommandOrigin } from "./command-context.ts";
import type { AnyDecider, FoldedStream } from "./folded-stream.ts";
import type { DecidedCommand, QueuedCommand } from "./stream-queue.ts";

/** All events are of this shape version so far; a change of a shape comes with an upcaster. */
const EVENT_VERSION = 1;

export interface DecidedBatch {
  readonly decided: readonly DecidedCommand[];
  readonly events: readonly EventToAppend[];
  /** Not decided: the events are enough for one append. */
  readonly undecided: readonly QueuedCommand[];
}

export interface DecideBatchOptions {
  readonly now: number;
  readonly ids: CommandIdGenerator;
  /** About how many bytes of events are enough for one append. */
  readonly targetBytes: number;
}

/**
 * Decides the jobs one after another on the folded state, which afterwards holds events nobody has stored yet.
 * A job whose command was recorded by another attempt is answered by what that one recorded.
 */
export function decideBatch(
  decider: AnyDecider,
  folded: FoldedStream<unknown>,
  jobs: readonly QueuedCommand[],
  { now, ids, targetBytes }: DecideBatchOptions,
): DecidedBatch {
  const events: EventToAppend[] = [];
  const settled: DecidedCommand[] = [];
  let bytes = 0;
  for (const job of jobs) {
    if (bytes >= targetBytes) break;
    const { execution } = job;
    const { context } = execution;
    if (context === undefined || execution.command === undefined || job.earlierEvents.length > 0) {
      settled.push(reply(job, folded.state, job.earlierEvents as unknown as DomainEvent[]));
      continue;
    }
    let decision: Decision<DomainEvent>;
    try {
      decision = decider.decide(execution.command, folded.state, Math.max(now, folded.lastAt));
    } catch (error) {
      // Deciding changes nothing, so the other commands of the batch are not touched by it.
      settled.push({ command: job, result: { error } });
      continue;
    }
    if (decision.events.length > 0) {
      const metadata = metadataOf(decision, context, ids);
      // The store takes the same ids at the same revision for the same append. Of two attempts that decide at once,
      // each at its own moment, one must meet a conflict and find the other: so a repetition's events have fresh ones.
      const named = job.repeated ? ids.next() : metadata.commandId;
      decision.events.forEach((event, index) => {
        const recorded = toAppend(event, eventId(named, index), metadata);
        events.push(recorded);
        if (targetBytes < Number.POSITIVE_INFINITY) bytes += sizeOf(recorded);
        folded.state = decider.evolve(folded.state, event);
        folded.lastAt = event.at;
      });
    }
    if (decision.rejection) settled.push({ command: job, result: { rejection: decision.rejection } });
    else settled.push(reply(job, folded.state, decision.events));
  }
  return { decided: settled, events, undecided: jobs.slice(settled.length) };
}

function reply(job: QueuedCommand, state: unknown, events: readonly DomainEvent[]): DecidedCommand {
  try {
    return { command: job, result: { reply: job.execution.reply(state, events) } };
  } catch (error) {
    return { command: job, result: { error } };
  }
}

/**
 * What a refused command finds lapsed is recorded under an id of its own: repeated after a crash, the command must be
 * refused again, and not be taken for done because of these events. A fresh id each time, because each time something
 * else may have lapsed.
 */
function metadataOf(
  { rejection }: Decision<DomainEvent>,
  context: CommandOrigin,
  ids: CommandIdGenerator,
): EventMetadata {
  const { accountId, actor, requestId, causationId } = context;
  const commandId = rejection === undefined ? context.commandId : ids.next();
  return { accountId, actor, requestId, commandId, causationId };
}

function toAppend({ type, at, data }: DomainEvent, id: string, metadata: EventMetadata): EventToAppend {
  return { id, type, version: EVENT_VERSION, at, data, metadata };
}

function sizeOf(event: EventToAppend): number {
  return Buffer.byteLength(JSON.stringify(event));
}
