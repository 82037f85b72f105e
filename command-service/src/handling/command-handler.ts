import type { DomainEvent } from "@travel-booking/domain";
import {
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { type Clock, type CommandIds, commandIds } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { answer, isAnsweredWhenDecided, requeue } from "./answers.ts";
import { appendForSure } from "./append-for-sure.ts";
import { type DecidedBatch, decideJobs } from "./decide-jobs.ts";
import { areFirst, askJobs, mayHaveBeenOvertaken, search, toSearchFrom } from "./earlier-attempts.ts";
import type { Execution, Look, Outcome } from "./execution.ts";
import { emptyStream, type FoldableEvent, type FoldedStream, foldInto } from "./folded-stream.ts";
import type { Job, Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { Sharing } from "./sharing.ts";

/** Commands decided and appended together. */
const BATCH = 256;
/**
 * A store that is shared takes so many bytes in one append at most; a batch is closed well below that, because what
 * its last command adds comes on top.
 */
const ENOUGH_FOR_ONE_APPEND = 512 * 1_024;
/** Streams kept folded in memory. */
const FOLDED_STREAMS = 20_000;

const NONE: readonly never[] = [];

export interface CommandHandlerOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly foldedStreams?: number;
  readonly realTime?: RealTime | undefined;
  /** For events no command asked for, and those of repeated commands. */
  readonly ids?: CommandIds;
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
  readonly #ids: CommandIds;
  readonly #lanes: Lanes;

  constructor(options: CommandHandlerOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#realTime = options.realTime ?? realTime;
    this.#ids = options.ids ?? commandIds(options.clock);
    const { random = Math.random } = options;
    this.#lanes = new Lanes({
      most: options.foldedStreams ?? FOLDED_STREAMS,
      newSharing: ({ decider }) => (this.#store.exclusive ? undefined : new Sharing(decider, this.#realTime, random)),
    });
  }

  /**
   * @throws StreamBusy decided too often on a state that was out of date.
   * @throws EventStoreUnavailable the store is out of reach, or the outcome could not be learnt.
   * @throws Error what `context.repeated` throws where this attempt is to stop.
   */
  execute<Command, State, Event extends DomainEvent, Code extends string, Reply>(
    execution: Execution<Command, State, Event, Code, Reply>,
  ): Promise<Outcome<Reply, Code>> {
    return this.#queue(execution as never) as Promise<Outcome<Reply, Code>>;
  }

  /**
   * What a stream holds, every command before this one included.
   * @throws EventStoreUnavailable the store is out of reach.
   */
  async look<State, Event extends DomainEvent, Reply>(look: Look<State, Event, Reply>): Promise<Reply> {
    const outcome = await this.#queue(look as never);
    if (!outcome.accepted) throw new Error("a look was refused");
    return outcome.reply as Reply;
  }

  #queue(execution: Job["execution"]): Promise<Outcome<unknown, string>> {
    return new Promise((resolve, reject) => {
      const lane = this.#lanes.of(execution);
      lane.jobs.push({
        execution,
        resolve,
        reject,
        conflicts: 0,
        repeated: false,
        searchedTo: NO_STREAM,
        earlier: NONE,
      });
      if (lane.running) return;
      lane.running = true;
      void this.#work(lane);
    });
  }

  async #work(lane: Lane): Promise<void> {
    while (lane.jobs.length > 0) {
      if (lane.sharing !== undefined) await lane.sharing.pause();
      const jobs = lane.jobs.length <= BATCH ? lane.jobs : lane.jobs.slice(0, BATCH);
      lane.jobs = lane.jobs.length <= BATCH ? [] : lane.jobs.slice(BATCH);
      try {
        await this.#settle(lane, jobs);
      } catch (error) {
        lane.folded = undefined;
        for (const job of jobs) job.reject(error);
      }
    }
    lane.running = false;
    this.#lanes.keep(lane);
  }

  async #settle(lane: Lane, waiting: readonly Job[]): Promise<void> {
    if (lane.unresolved !== undefined) await this.#resolve(lane);
    const folded = lane.folded ?? (await this.#load(lane, waiting));
    lane.folded = folded;
    for (;;) {
      const jobs = areFirst(waiting, folded.revision) ? waiting : await this.#searched(lane, folded, waiting);
      const batch = decideJobs(lane.decider, folded, jobs, {
        now: this.#clock.now(),
        ids: this.#ids,
        enough: this.#store.exclusive ? Number.POSITIVE_INFINITY : ENOUGH_FOR_ONE_APPEND,
      });
      if (batch.events.length > 0) return this.#record(lane, folded, batch);
      if (this.#store.exclusive || !(await this.#catchUp(lane, folded, jobs))) return answer(batch, folded.position);
    }
  }

  async #record(lane: Lane, folded: FoldedStream<unknown>, batch: DecidedBatch): Promise<void> {
    const { events, settled, left } = batch;
    const expectedRevision = folded.revision;
    if (left.length > 0) lane.jobs = [...left, ...lane.jobs];
    const { exclusive } = this.#store;
    const began = exclusive ? 0 : this.#realTime.now();
    try {
      const goOn = exclusive ? undefined : () => settled.every(({ job }) => !mayHaveBeenOvertaken(job));
      const appending = appendForSure(this.#store, this.#realTime, lane.stream, expectedRevision, events, goOn);
      if (exclusive) answer(batch, folded.position, isAnsweredWhenDecided);
      const { revision, position, alone } = await appending;
      folded.revision = revision;
      folded.position = position;
      if (alone) lane.sharing?.stored(foldable(events, expectedRevision, position), folded, began);
      else lane.folded = undefined;
      answer(batch, position);
    } catch (error) {
      lane.folded = undefined;
      if (error instanceof WrongExpectedRevision) {
        lane.sharing?.conflicted();
        return requeue(
          lane,
          settled.map(({ job }) => job),
        );
      }
      // In a shared store what is decided next conflicts with it, should it be stored after all.
      if (exclusive && error instanceof EventStoreUnavailable && error.outcomeUnknown) {
        lane.unresolved = { expectedRevision, events };
      }
      for (const { job } of settled) job.reject(error);
    }
  }

  /** Finds out what became of an append before anything else is decided on its stream. */
  async #resolve(lane: Lane): Promise<void> {
    const unresolved = lane.unresolved;
    if (unresolved === undefined) return;
    try {
      await appendForSure(
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

  async #load(lane: Lane, jobs: readonly Job[]): Promise<FoldedStream<unknown>> {
    const folded = lane.sharing?.known() ?? emptyStream(lane.decider);
    await this.#read(lane, folded, jobs, folded.revision + 1);
    lane.sharing?.loaded(folded);
    return folded;
  }

  /** Folds what was written since; true if there was anything. */
  async #catchUp(lane: Lane, folded: FoldedStream<unknown>, jobs: readonly Job[]): Promise<boolean> {
    const before = folded.revision;
    await this.#read(lane, folded, jobs, before + 1);
    if (folded.revision === before) return false;
    lane.sharing?.met();
    return true;
  }

  /** The jobs that are to be decided, with all that other attempts at them recorded up to the fold's revision. */
  async #searched(lane: Lane, folded: FoldedStream<unknown>, waiting: readonly Job[]): Promise<readonly Job[]> {
    for (;;) {
      const jobs = askJobs(waiting, folded.revision);
      const from = toSearchFrom(jobs, folded.revision);
      if (from === undefined) return jobs;
      await this.#read(lane, folded, jobs, from);
    }
  }

  /** Folds what the fold does not have yet; whatever is read is searched for other attempts at the jobs. */
  async #read(lane: Lane, folded: FoldedStream<unknown>, jobs: readonly Job[], from: number): Promise<void> {
    const events = await this.#store.readStream(lane.stream, from);
    const fresh = events.filter((event) => event.revision > folded.revision);
    foldInto(folded, lane.decider, fresh);
    lane.sharing?.read(fresh, folded);
    search(jobs, events, from, folded.revision);
  }
}

function foldable(events: readonly EventToAppend[], after: number, position: bigint): readonly FoldableEvent[] {
  return events.map((event, index) => ({ ...event, revision: after + 1 + index, position }));
}
