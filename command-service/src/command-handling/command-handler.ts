import type { DomainEvent } from "@travel-booking/domain";
import {
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { type Clock, type CommandIdGenerator, commandIdGenerator } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { appendWithRetry } from "./append-with-retry.ts";
import type { CommandExecution, CommandOutcome, StateRead } from "./command-execution.ts";
import { ContentionBackoff } from "./contention-backoff.ts";
import { type DecidedBatch, decideBatch } from "./decide-batch.ts";
import {
  areFirstAttempts,
  collectEarlierEvents,
  firstUnsearchedRevision,
  mayBeSuperseded,
  withoutSuperseded,
} from "./earlier-attempts.ts";
import { emptyStream, type FoldableEvent, type FoldedStream, foldInto } from "./folded-stream.ts";
import { repliesBeforeDurable, replyToCommands, requeue } from "./reply-to-commands.ts";
import type { QueuedCommand, StreamQueue } from "./stream-queue.ts";
import { StreamQueues } from "./stream-queues.ts";

/** Commands decided and appended together. */
const MAX_BATCH_SIZE = 256;
/**
 * A store that is shared takes so many bytes in one append at most; a batch is closed well below that, because what
 * its last command adds comes on top.
 */
const TARGET_APPEND_BYTES = 512 * 1_024;
/** Streams kept folded in memory. */
const MAX_CACHED_STREAMS = 20_000;

const NONE: readonly never[] = [];

export interface CommandHandlerOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly maxCachedStreams?: number;
  readonly realTime?: RealTime | undefined;
  /** For events no command asked for, and those of repeated commands. */
  readonly ids?: CommandIdGenerator;
  /** From 0 to 1, for the length of pauses. */
  readonly random?: () => number;
}

/**
 * The one path every command takes: fold, decide, append at the revision the decision was made on. Commands on one
 * stream queue up and those waiting are decided in turn and appended together, so a stream that everybody writes to
 * costs no retries. Nothing is answered before what it rests on is durable, rejections and no-ops included.
 */
export class CommandHandler {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #ids: CommandIdGenerator;
  readonly #queues: StreamQueues;

  constructor(options: CommandHandlerOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#realTime = options.realTime ?? realTime;
    this.#ids = options.ids ?? commandIdGenerator(options.clock);
    const { random = Math.random } = options;
    this.#queues = new StreamQueues({
      maxCached: options.maxCachedStreams ?? MAX_CACHED_STREAMS,
      newContentionBackoff: ({ decider }) =>
        this.#store.singleWriter ? undefined : new ContentionBackoff(decider, this.#realTime, random),
    });
  }

  /**
   * @throws StreamBusy decided too often on a state that was out of date.
   * @throws EventStoreUnavailable the store is out of reach, or the outcome could not be learnt.
   * @throws Error what `context.repeated` throws where this attempt is to stop.
   */
  execute<Command, State, Event extends DomainEvent, Code extends string, Reply>(
    execution: CommandExecution<Command, State, Event, Code, Reply>,
  ): Promise<CommandOutcome<Reply, Code>> {
    return this.#enqueue(execution as never) as Promise<CommandOutcome<Reply, Code>>;
  }

  /**
   * What a stream holds, every command before this one included.
   * @throws EventStoreUnavailable the store is out of reach.
   */
  async readState<State, Event extends DomainEvent, Reply>(look: StateRead<State, Event, Reply>): Promise<Reply> {
    const outcome = await this.#enqueue(look as never);
    if (!outcome.accepted) throw new Error("a look was refused");
    return outcome.reply as Reply;
  }

  #enqueue(execution: QueuedCommand["execution"]): Promise<CommandOutcome<unknown, string>> {
    return new Promise((resolve, reject) => {
      const lane = this.#queues.queueFor(execution);
      lane.commands.push({
        execution,
        resolve,
        reject,
        conflicts: 0,
        repeated: false,
        searchedToRevision: NO_STREAM,
        earlierEvents: NONE,
      });
      if (lane.running) return;
      lane.running = true;
      void this.#drain(lane);
    });
  }

  async #drain(lane: StreamQueue): Promise<void> {
    while (lane.commands.length > 0) {
      if (lane.contentionBackoff !== undefined) await lane.contentionBackoff.wait();
      const jobs = lane.commands.length <= MAX_BATCH_SIZE ? lane.commands : lane.commands.slice(0, MAX_BATCH_SIZE);
      lane.commands = lane.commands.length <= MAX_BATCH_SIZE ? [] : lane.commands.slice(MAX_BATCH_SIZE);
      try {
        await this.#processBatch(lane, jobs);
      } catch (error) {
        lane.folded = undefined;
        for (const job of jobs) job.reject(error);
      }
    }
    lane.running = false;
    this.#queues.cacheOrEvict(lane);
  }

  async #processBatch(lane: StreamQueue, waiting: readonly QueuedCommand[]): Promise<void> {
    if (lane.unresolved !== undefined) await this.#resolveUnknownAppend(lane);
    const folded = lane.folded ?? (await this.#load(lane, waiting));
    lane.folded = folded;
    for (;;) {
      const jobs = areFirstAttempts(waiting, folded.revision)
        ? waiting
        : await this.#withEarlierAttempts(lane, folded, waiting);
      const batch = decideBatch(lane.decider, folded, jobs, {
        now: this.#clock.now(),
        ids: this.#ids,
        targetBytes: this.#store.singleWriter ? Number.POSITIVE_INFINITY : TARGET_APPEND_BYTES,
      });
      if (batch.events.length > 0) return this.#append(lane, folded, batch);
      if (this.#store.singleWriter || !(await this.#catchUp(lane, folded, jobs)))
        return replyToCommands(batch, folded.position);
    }
  }

  async #append(lane: StreamQueue, folded: FoldedStream<unknown>, batch: DecidedBatch): Promise<void> {
    const { events, decided, undecided } = batch;
    const expectedRevision = folded.revision;
    if (undecided.length > 0) lane.commands = [...undecided, ...lane.commands];
    const { singleWriter } = this.#store;
    const began = singleWriter ? 0 : this.#realTime.now();
    try {
      const goOn = singleWriter ? undefined : () => decided.every(({ command }) => !mayBeSuperseded(command));
      const appending = appendWithRetry(this.#store, this.#realTime, lane.stream, expectedRevision, events, goOn);
      if (singleWriter) replyToCommands(batch, folded.position, repliesBeforeDurable);
      const { revision, position, uncontended } = await appending;
      folded.revision = revision;
      folded.position = position;
      if (uncontended) lane.contentionBackoff?.onAppended(foldable(events, expectedRevision, position), folded, began);
      else lane.folded = undefined;
      replyToCommands(batch, position);
    } catch (error) {
      lane.folded = undefined;
      if (error instanceof WrongExpectedRevision) {
        lane.contentionBackoff?.onConflict();
        return requeue(
          lane,
          decided.map(({ command }) => command),
        );
      }
      // In a shared store what is decided next conflicts with it, should it be stored after all.
      if (singleWriter && error instanceof EventStoreUnavailable && error.outcomeUnknown) {
        lane.unresolved = { expectedRevision, events };
      }
      for (const { command: job } of decided) job.reject(error);
    }
  }

  /** Finds out what became of an append before anything else is decided on its stream. */
  async #resolveUnknownAppend(lane: StreamQueue): Promise<void> {
    const unresolved = lane.unresolved;
    if (unresolved === undefined) return;
    try {
      await appendWithRetry(
        this.#store,
        this.#realTime,
        lane.stream,
        unresolved.expectedRevision,
        unresolved.events,
        undefined,
        true,
      );
    } catch (error) {
      // A conflict means it was never stored and never can be: the stream has gone on without it.
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
    lane.unresolved = undefined;
    lane.folded = undefined;
  }

  async #load(lane: StreamQueue, jobs: readonly QueuedCommand[]): Promise<FoldedStream<unknown>> {
    const folded = lane.contentionBackoff?.lastKnownStream() ?? emptyStream(lane.decider);
    await this.#read(lane, folded, jobs, folded.revision + 1);
    lane.contentionBackoff?.onLoaded(folded);
    return folded;
  }

  /** Folds what was written since; true if there was anything. */
  async #catchUp(lane: StreamQueue, folded: FoldedStream<unknown>, jobs: readonly QueuedCommand[]): Promise<boolean> {
    const before = folded.revision;
    await this.#read(lane, folded, jobs, before + 1);
    if (folded.revision === before) return false;
    lane.contentionBackoff?.onContention();
    return true;
  }

  /** The jobs that are to be decided, with all that other attempts at them recorded up to the fold's revision. */
  async #withEarlierAttempts(
    lane: StreamQueue,
    folded: FoldedStream<unknown>,
    waiting: readonly QueuedCommand[],
  ): Promise<readonly QueuedCommand[]> {
    for (;;) {
      const jobs = withoutSuperseded(waiting, folded.revision);
      const from = firstUnsearchedRevision(jobs, folded.revision);
      if (from === undefined) return jobs;
      await this.#read(lane, folded, jobs, from);
    }
  }

  /** Folds what the fold does not have yet; whatever is read is searched for other attempts at the jobs. */
  async #read(
    lane: StreamQueue,
    folded: FoldedStream<unknown>,
    jobs: readonly QueuedCommand[],
    from: number,
  ): Promise<void> {
    const events = await this.#store.readStream(lane.stream, from);
    const fresh = events.filter((event) => event.revision > folded.revision);
    foldInto(folded, lane.decider, fresh);
    lane.contentionBackoff?.onRead(fresh, folded);
    collectEarlierEvents(jobs, events, from, folded.revision);
  }
}

function foldable(events: readonly EventToAppend[], after: number, position: bigint): readonly FoldableEvent[] {
  return events.map((event, index) => ({ ...event, revision: after + 1 + index, position }));
}
