import type { DomainEvent, FlightNews } from "@travel-booking/domain";
import {
  AppendRefused,
  EventStoreUnavailable,
  NO_STREAM,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { type Clock, type CommandIdGenerator, commandIdGenerator } from "@travel-booking/runtime";
import { BoundedBackoff, type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { appendOrFind, appendWithRetry, GIVE_UP_AFTER_MS } from "./append-with-retry.ts";
import {
  type CommandContext,
  type CommandExecution,
  type CommandOutcome,
  isNotAttempted,
  type StateRead,
  TOO_LARGE,
} from "./command.ts";
import { ContentionBackoff } from "./contention-backoff.ts";
import {
  collectEarlierEvents,
  type DecidedBatch,
  decideBatch,
  firstUnsearchedRevision,
  isLapsed,
  isOfRequest,
  isStillCurrent,
  recordMayHaveActed,
  repliesBeforeDurable,
  replyToCommands,
  requeue,
  retryPermission,
} from "./decide-batch.ts";
import { EventCounts } from "./event-counts.ts";
import { emptyStream, type FoldedStream, foldInto } from "./folded-stream.ts";
import type { CommandStore } from "./sealed-event-store.ts";
import { Snapshots } from "./snapshots.ts";
import { MAX_BATCH_SIZE, type QueuedCommand, type StreamQueue, StreamQueues } from "./stream-queue.ts";

const NONE: readonly never[] = [];

/** Events of a stream that are read at once and then folded. */
const READ_AT_ONCE = 500;

/** Real time until an attempt with a lapsed lease is checked again. */
const LAPSED_PAUSE_MS = 50;

export interface CommandHandlerOptions {
  readonly store: CommandStore;
  readonly clock: Clock;
  readonly realTime?: RealTime | undefined;
  /** Makes ids for events without a command, and for events of repeated commands. */
  readonly ids?: CommandIdGenerator;
  /** The id of this process, if others write, too. Its events name it. */
  readonly instance?: string | undefined;
  /**
   * True: no other process writes, although the store lets it. So folded states stay true. Absent: as the store says.
   */
  readonly soleWriter?: boolean;
  /** The store of snapshots of long streams. Absent: there are no snapshots. */
  readonly state?: StateStore;
  /** What this process knows of disrupted flights. */
  readonly news?: FlightNews;
  /** Random numbers from 0 to 1, for the length of pauses. */
  readonly random?: () => number;
}

/**
 * The one path every command takes: fold, decide, append at the revision the decision was made on. Commands on one
 * stream queue up. Waiting commands are decided in turn and appended together, so a busy stream needs no retries.
 * Nothing, not even a rejection or a no-op, is answered before the events that it rests on are durable.
 */
export class CommandHandler {
  readonly #store: CommandStore;
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #ids: CommandIdGenerator;
  readonly #instance: string | undefined;
  readonly #soleWriter: boolean;
  readonly #news: FlightNews | undefined;
  #queues: StreamQueues;
  readonly #newQueues: () => StreamQueues;
  readonly #snapshots: Snapshots | undefined;
  /** Counts the stored events. */
  readonly stored = new EventCounts();
  #executed = 0;

  constructor(options: CommandHandlerOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#realTime = options.realTime ?? realTime;
    this.#ids = options.ids ?? commandIdGenerator(options.clock);
    this.#instance = options.instance;
    this.#news = options.news;
    this.#soleWriter = options.soleWriter ?? options.store.singleWriter;
    const { random = Math.random, state } = options;
    this.#snapshots = state && new Snapshots(state, options.store);
    this.#newQueues = () =>
      new StreamQueues(() => (this.#soleWriter ? undefined : new ContentionBackoff(this.#realTime, random)));
    this.#queues = this.#newQueues();
  }

  /** Forgets all folded streams, because they may be of another log. Every stream is read again. */
  forgetStreams(): void {
    this.#queues = this.#newQueues();
  }

  /** Commands since the start, rejected ones included. */
  get executed(): number {
    return this.#executed;
  }

  /**
   * Executes a command. If its request may have acted, a try that could not begin is repeated for ten real seconds.
   * @throws StreamBusy the command was decided too often on an outdated state.
   * @throws AppendRefused the store never takes the events of this command. To a request it is a rejection.
   * @throws EventStoreUnavailable the store is out of reach, or the outcome could not be learnt.
   * @throws Error the error of `context.attempt.repeated` if this attempt must stop.
   */
  execute<Command, State, Event extends DomainEvent, Code extends string, Reply>(
    execution: CommandExecution<Command, State, Event, Code, Reply>,
  ): Promise<CommandOutcome<Reply, Code>> {
    this.#executed += 1;
    return this.#enqueueFor(execution.context.attempt, execution as never) as Promise<CommandOutcome<Reply, Code>>;
  }

  /**
   * Reads the state of a stream, after every earlier command. Repeats like `execute` if the request may have acted.
   * @throws EventStoreUnavailable the store is out of reach.
   */
  async readState<State, Event extends DomainEvent, Reply>(read: StateRead<State, Event, Reply>): Promise<Reply> {
    if (this.#soleWriter && read.context === undefined) {
      // No command waits, so everything folded is durable.
      const queue = this.#queues.find(read.stream);
      if (queue?.running === false && queue.folded !== undefined) return read.reply(queue.folded.state as State, NONE);
    }
    const outcome = await this.#enqueueFor(read.attempt ?? read.context?.attempt, read as never);
    if (!outcome.accepted) throw new Error("a read was rejected");
    return outcome.reply as Reply;
  }

  async #enqueueFor(
    attempt: CommandContext["attempt"] | undefined,
    execution: QueuedCommand["execution"],
  ): Promise<CommandOutcome<unknown, string>> {
    if (attempt?.mayHaveActed !== true) return this.#enqueue(execution);
    const backoff = new BoundedBackoff(this.#realTime, GIVE_UP_AFTER_MS);
    for (;;) {
      try {
        return await this.#enqueue(execution);
      } catch (error) {
        if (!isNotAttempted(error) || !(await backoff.pause())) throw error;
      }
    }
  }

  #enqueue(execution: QueuedCommand["execution"]): Promise<CommandOutcome<unknown, string>> {
    return new Promise((resolve, reject) => {
      const queues = this.#queues;
      const queue = queues.queueFor(execution);
      queue.commands.push({
        execution,
        resolve,
        reject,
        conflicts: 0,
        repeated: false,
        searchedToRevision: NO_STREAM,
        earlierEvents: NONE,
      });
      if (queue.running) return;
      queue.running = true;
      void this.#drain(queue, queues);
    });
  }

  async #drain(queue: StreamQueue, queues: StreamQueues): Promise<void> {
    while (queue.commands.length > 0) {
      if (queue.contentionBackoff !== undefined) await queue.contentionBackoff.wait();
      const commands = queue.commands.splice(0, queue.batchSize);
      try {
        await this.#processBatch(queue, commands);
      } catch (error) {
        queue.folded = undefined;
        for (const command of commands) command.reject(error);
      }
    }
    queue.running = false;
    this.#snapshots?.saveIfDue(queue);
    queues.release(queue);
  }

  async #processBatch(queue: StreamQueue, taken: readonly QueuedCommand[]): Promise<void> {
    let waiting = taken;
    if (queue.unresolved !== undefined) await this.#resolveUnknownAppend(queue);
    const folded = queue.folded ?? (await this.#load(queue, waiting));
    queue.folded = folded;
    for (;;) {
      const { revision } = folded;
      const current = waiting.filter((command) => isStillCurrent(command, revision));
      const commands = current.filter((command) => !isLapsed(command));
      if (commands.length < current.length) {
        // Lapsed commands go to the end. If there are no others, a pause lets their leases be renewed or lost.
        queue.commands.push(...current.filter(isLapsed));
        if (commands.length === 0) {
          await this.#realTime.pause(LAPSED_PAUSE_MS);
          return;
        }
        waiting = commands;
      }
      const unsearched = firstUnsearchedRevision(commands, revision);
      if (unsearched <= revision) {
        await this.#read(queue, folded, commands, unsearched);
        continue;
      }
      const batch = decideBatch(queue.decider, folded, commands, {
        now: this.#clock.now(),
        ids: this.#ids,
        instance: this.#instance,
        news: this.#news,
      });
      if (batch.events.length > 0) return this.#append(queue, folded, batch);
      // Other processes may have written since.
      if (!this.#soleWriter) await this.#read(queue, folded, commands, revision + 1);
      if (folded.revision === revision) return replyToCommands(batch, folded.position);
      queue.contentionBackoff?.onContention();
    }
  }

  async #append(queue: StreamQueue, folded: FoldedStream, batch: DecidedBatch): Promise<void> {
    const { events, decided } = batch;
    const expectedRevision = folded.revision;
    const began = this.#soleWriter ? 0 : this.#realTime.now();
    try {
      const appending = appendWithRetry(this.#store, this.#realTime, {
        stream: queue.stream,
        expectedRevision,
        events,
        onOrdered: (result) => replyToCommands(batch, result.position, repliesBeforeDurable),
        mayRetry: () => (this.#soleWriter ? "now" : retryPermission(decided)),
      });
      const { revision, position, sealed = 0, contended } = await appending;
      folded.revision = revision;
      folded.position = position;
      folded.sealed += sealed;
      queue.batchSize = Math.min(2 * queue.batchSize, MAX_BATCH_SIZE);
      if (contended === true) queue.folded = undefined;
      else queue.contentionBackoff?.onAppended(began);
      replyToCommands(batch, position);
      this.stored.add(events);
    } catch (error) {
      queue.folded = undefined;
      const commands = decided.map(({ command }) => command);
      if (error instanceof WrongExpectedRevision) {
        queue.contentionBackoff?.onConflict();
        return requeue(queue, commands);
      }
      if (error instanceof AppendRefused && commands.length > 1) {
        // A smaller batch may be taken. Only a command that is refused alone is at fault.
        queue.batchSize = Math.floor(commands.length / 2);
        queue.commands = [...commands, ...queue.commands];
        return;
      }
      // With other writers this is not needed: if the append was stored after all, the next one meets a conflict.
      if (this.#soleWriter && error instanceof EventStoreUnavailable && error.outcomeUnknown) {
        queue.unresolved = { expectedRevision, events };
      }
      for (const command of commands) {
        if (error instanceof AppendRefused && isOfRequest(command)) {
          command.resolve({ accepted: false, rejection: { code: TOO_LARGE }, position: folded.position });
          continue;
        }
        if (!isNotAttempted(error)) recordMayHaveActed(command);
        command.reject(error);
      }
    }
  }

  /**
   * Finds out the outcome of an append before anything else is decided on its stream. It tries once, because nothing of
   * the waiting commands was attempted.
   */
  async #resolveUnknownAppend(queue: StreamQueue): Promise<void> {
    const { unresolved, stream } = queue;
    if (unresolved === undefined) return;
    try {
      await appendOrFind(this.#store, { ...unresolved, stream });
    } catch (error) {
      if (error instanceof EventStoreUnavailable && error.outcomeUnknown) {
        throw new EventStoreUnavailable(error.message, { outcomeUnknown: false, cause: error });
      }
      // A conflict means that the append was not stored and never can be, because the stream has gone on without it.
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
    queue.unresolved = undefined;
    queue.folded = undefined;
  }

  async #load(queue: StreamQueue, commands: readonly QueuedCommand[]): Promise<FoldedStream> {
    const folded =
      queue.contentionBackoff?.takeLastRead() ?? (await this.#snapshots?.load(queue)) ?? emptyStream(queue.decider);
    await this.#read(queue, folded, commands, folded.revision + 1);
    queue.contentionBackoff?.onLoaded(folded, queue.decider);
    return folded;
  }

  /**
   * Folds the events that the fold does not have yet. All read events are searched for other attempts at the commands.
   * A long stream is read piece by piece, so it is never in memory as a whole.
   */
  async #read(
    queue: StreamQueue,
    folded: FoldedStream,
    commands: readonly QueuedCommand[],
    from: number,
  ): Promise<void> {
    for (let next = from; ; next += READ_AT_ONCE) {
      const events = await this.#store.readStream(queue.stream, next, READ_AT_ONCE);
      const fresh = events.filter((event) => event.revision > folded.revision);
      await foldInto(folded, queue.decider, fresh);
      const isLast = events.length < READ_AT_ONCE;
      collectEarlierEvents(commands, events, next, isLast ? folded.revision : next + READ_AT_ONCE - 1);
      if (isLast) return;
    }
  }
}
