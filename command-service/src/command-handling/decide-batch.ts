import type { Decision, DomainEvent, FlightNews } from "@travel-booking/domain";
import type { EventMetadata, EventToAppend, RecordedEvent } from "@travel-booking/engines/event-store";
import { type CommandIdGenerator, eventId } from "@travel-booking/runtime";
import type { RetryPermission } from "./append-with-retry.ts";
import { type CommandContext, StreamBusy } from "./command.ts";
import type { AnyDecider, FoldedStream } from "./folded-stream.ts";
import type { DecidedCommand, QueuedCommand, StreamQueue } from "./stream-queue.ts";

/** All events are of this shape version so far; a change of a shape comes with an upcaster. */
const EVENT_VERSION = 1;

export interface DecidedBatch {
  readonly decided: readonly DecidedCommand[];
  readonly events: readonly EventToAppend[];
}

interface DecideBatchOptions {
  readonly now: number;
  readonly ids: CommandIdGenerator;
  /** The id of this process, if others write, too. */
  readonly instance?: string | undefined;
  readonly news?: FlightNews | undefined;
}

/**
 * Decides commands one after another on the folded state, which afterwards holds events that are not stored yet. If
 * another attempt recorded a command, its reply is made from the events of that attempt.
 */
export function decideBatch(
  decider: AnyDecider,
  folded: FoldedStream,
  commands: readonly QueuedCommand[],
  { now, ids, instance, news }: DecideBatchOptions,
): DecidedBatch {
  const events: EventToAppend[] = [];
  const decided: DecidedCommand[] = [];
  for (const command of commands) {
    const { execution } = command;
    const { context } = execution;
    if (context === undefined || execution.command === undefined || command.earlierEvents.length > 0) {
      decided.push(reply(command, folded.state, command.earlierEvents as unknown as DomainEvent[]));
      continue;
    }
    let decision: Decision<DomainEvent>;
    try {
      decision = decider.decide(execution.command, folded.state, Math.max(now, folded.lastAt), news);
    } catch (error) {
      // Deciding changes nothing, so the other commands of the batch are not affected.
      decided.push({ command, result: { error } });
      continue;
    }
    if (decision.events.length > 0) {
      const metadata = metadataOf(decision, context, ids, instance);
      // The store takes the same event ids at the same revision for the same append. Of two attempts that decide at
      // once one must meet a conflict and find the other, so the events of a repetition have fresh ids.
      const idBase = command.repeated ? ids.next() : metadata.commandId;
      decision.events.forEach((event, index) => {
        events.push(toAppend(event, eventId(idBase, index), metadata));
        folded.state = decider.evolve(folded.state, event);
        folded.lastAt = event.at;
      });
    }
    if (decision.rejection) decided.push({ command, result: { rejection: decision.rejection } });
    else decided.push(reply(command, folded.state, decision.events));
  }
  return { decided, events };
}

function reply(command: QueuedCommand, state: unknown, events: readonly DomainEvent[]): DecidedCommand {
  try {
    return { command, result: { reply: command.execution.reply(state, events), acted: events.length > 0 } };
  } catch (error) {
    return { command, result: { error } };
  }
}

/**
 * What a rejected command finds lapsed is recorded under a fresh id: repeated after a crash, the command must be rejected
 * again, and not be taken for done because of these events.
 */
function metadataOf(
  { rejection }: Decision<DomainEvent>,
  context: CommandContext,
  ids: CommandIdGenerator,
  instance: string | undefined,
): EventMetadata {
  const { accountId, actor, requestId, causationId } = context;
  const commandId = rejection === undefined ? context.commandId : ids.next();
  const metadata = { accountId, actor, requestId, commandId, causationId };
  return instance === undefined ? metadata : { ...metadata, instance };
}

function toAppend({ type, at, data }: DomainEvent, id: string, metadata: EventMetadata): EventToAppend {
  return { id, type, version: EVENT_VERSION, at, data, metadata };
}

/** How often a command is decided again after a conflict. */
const MAX_CONFLICTS = 20;

/** Replies to all or some commands of a batch. Everything that the results rest on is at or before `position`. */
export function replyToCommands(
  batch: DecidedBatch,
  position: bigint,
  include: (decided: DecidedCommand) => boolean = () => true,
): void {
  for (const decided of batch.decided) {
    if (!include(decided)) continue;
    const { command, result } = decided;
    if ("error" in result) command.reject(result.error);
    else if ("rejection" in result) command.resolve({ accepted: false, rejection: result.rejection, position });
    else {
      if (result.acted) recordMayHaveActed(command);
      command.resolve({ accepted: true, reply: result.reply, position });
    }
  }
}

/** Records that the request of this command may have acted. A read changes nothing, so it does not count. */
export function recordMayHaveActed({ execution: { command, context } }: QueuedCommand): void {
  if (command !== undefined && context !== undefined) context.attempt.mayHaveActed = true;
}

/** Whether a client's request asks for this command. */
export function isOfRequest({ execution: { context } }: QueuedCommand): boolean {
  return context?.actor.kind === "credential";
}

/** Whether to reply before durability. Never to a rejection, because that ends its request. */
export function repliesBeforeDurable({ command: { execution }, result }: DecidedCommand): boolean {
  if (!("reply" in result)) return false;
  const { replyBeforeDurable, lastStep, context } = execution;
  if (replyBeforeDurable === true) return true;
  if (lastStep === undefined || context?.attempt.storesResponse !== true) return false;
  return lastStep === true || lastStep(result.reply);
}

/** Has commands decided again after a conflict, before all others, unless it happened too often. */
export function requeue(queue: StreamQueue, commands: readonly QueuedCommand[]): void {
  const again = commands.filter((command) => {
    command.conflicts += 1;
    if (command.conflicts <= MAX_CONFLICTS) return true;
    command.reject(new StreamBusy(`stream ${queue.stream} kept changing`));
    return false;
  });
  queue.commands = [...again, ...queue.commands];
}

/**
 * Whether a command may be decided on the stream as read up to `revision`; one that is superseded is rejected. Where no other
 * attempt had begun by now, it can't have recorded anything up to there, and the append finds what it records later.
 */
export function isStillCurrent(command: QueuedCommand, revision: number): boolean {
  const { context } = command.execution;
  if (context === undefined) return true;
  try {
    command.repeated = context.attempt.repeated;
  } catch (error) {
    command.reject(error);
    return false;
  }
  if (!command.repeated) command.searchedToRevision = Math.max(command.searchedToRevision, revision);
  return true;
}

/**
 * Whether the command's lease has lapsed, because this process did not run. Another attempt may then have begun; within
 * moments the lease is renewed or lost. @throws what `lapsed` throws.
 */
export function isLapsed({ execution: { context } }: Pick<QueuedCommand, "execution">): boolean {
  return context?.attempt.lapsed === true;
}

/**
 * Whether an append of these commands may be repeated: where another attempt has begun since, that could store what it
 * has been refused.
 */
export function retryPermission(decided: readonly DecidedCommand[]): RetryPermission {
  try {
    return decided.some(({ command }) => isLapsed(command)) ? "later" : "now";
  } catch {
    return "never";
  }
}

/** The first revision to search for other attempts at these commands; the one after `revision`: all is searched. */
export function firstUnsearchedRevision(commands: readonly QueuedCommand[], revision: number): number {
  const sought = commands.filter(({ repeated, earlierEvents }) => repeated && earlierEvents.length === 0);
  return Math.min(revision, ...sought.map(({ searchedToRevision }) => searchedToRevision)) + 1;
}

/** Finds what other attempts recorded among the events read from revision `from` up to `upTo`. */
export function collectEarlierEvents(
  commands: readonly QueuedCommand[],
  events: readonly RecordedEvent[],
  from: number,
  upTo: number,
): void {
  const byCommand = new Map<string, QueuedCommand>();
  for (const command of commands)
    if (command.execution.context) byCommand.set(command.execution.context.commandId, command);
  for (const event of events) {
    const command = byCommand.get(event.metadata.commandId);
    if (command !== undefined && event.revision > command.searchedToRevision)
      command.earlierEvents = [...command.earlierEvents, event];
  }
  for (const command of commands)
    if (command.searchedToRevision + 1 >= from) command.searchedToRevision = Math.max(command.searchedToRevision, upTo);
}
