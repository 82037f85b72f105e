import type { Decision, DomainEvent } from "@travel-booking/domain";
import type { EventToAppend, RecordedEvent } from "@travel-booking/event-store";
import { type CommandIds, eventId } from "@travel-booking/runtime";
import type { CommandContext } from "./command-context.ts";
import type { FoldedStream } from "./folded-stream.ts";
import type { Job, Lane, Settled } from "./lane.ts";

/** All events are of this shape version so far; a change of a shape comes with an upcaster. */
const EVENT_VERSION = 1;

export interface DecidedBatch {
  readonly settled: readonly Settled[];
  readonly events: readonly EventToAppend[];
}

/**
 * Decides the jobs one after another on the folded state, which afterwards holds events nobody has stored yet.
 * A job found in `earlier` was recorded by an attempt before a crash: it is answered by what it recorded then.
 */
export function decideJobs(
  lane: Lane,
  folded: FoldedStream<unknown>,
  jobs: readonly Job[],
  now: number,
  earlier: ReadonlyMap<Job, readonly RecordedEvent[]>,
  ids: CommandIds,
): DecidedBatch {
  const events: EventToAppend[] = [];
  const settled: Settled[] = [];
  for (const job of jobs) {
    const { execution } = job;
    const { context } = execution;
    const recorded = earlier.get(job);
    if (context === undefined || recorded !== undefined) {
      settled.push(reply(job, folded.state, (recorded ?? []) as unknown as DomainEvent[]));
      continue;
    }
    let decision: Decision<DomainEvent>;
    try {
      decision = lane.decider.decide(execution.command, folded.state, Math.max(now, folded.lastAt));
    } catch (error) {
      // Deciding changes nothing, so the other commands of the batch are not touched by it.
      settled.push({ job, result: { error } });
      continue;
    }
    const recordedUnder = decision.rejection === undefined ? context : lapsedUnder(context, ids);
    decision.events.forEach((event, index) => {
      events.push(toAppend(event, recordedUnder, index));
      folded.state = lane.decider.evolve(folded.state, event);
      folded.lastAt = event.at;
    });
    if (decision.rejection) settled.push({ job, result: { rejection: decision.rejection } });
    else settled.push(reply(job, folded.state, decision.events));
  }
  return { settled, events };
}

/**
 * What a refused command finds lapsed is recorded under an id of its own: repeated after a crash, the command must be
 * refused again, and not be taken for done because of these events. A fresh id each time, because each time something
 * else may have lapsed.
 */
function lapsedUnder(context: CommandContext, ids: CommandIds): CommandContext {
  return { ...context, commandId: ids.next() };
}

function reply(job: Job, state: unknown, events: readonly DomainEvent[]): Settled {
  try {
    return { job, result: { reply: job.execution.reply(state, events) } };
  } catch (error) {
    return { job, result: { error } };
  }
}

function toAppend(event: DomainEvent, context: CommandContext, index: number): EventToAppend {
  return {
    id: eventId(context.commandId, index),
    type: event.type,
    version: EVENT_VERSION,
    at: event.at,
    data: event.data,
    metadata: {
      accountId: context.accountId,
      actor: context.actor,
      requestId: context.requestId,
      commandId: context.commandId,
      causationId: context.causationId,
    },
  };
}
