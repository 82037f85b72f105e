import type { DomainEvent } from "@travel-booking/domain";
import {
  type EventStore,
  EventStoreUnavailable,
  NO_STREAM,
  type RecordedEvent,
  WrongExpectedRevision,
} from "@travel-booking/event-store";
import { type Clock, type CommandIds, commandIds } from "@travel-booking/runtime";
import { type RealTime, realTime } from "../real-time.ts";
import { appendForSure } from "./append-for-sure.ts";
import { type DecidedBatch, decideJobs } from "./decide-jobs.ts";
import { type Execution, type Look, type Outcome, StreamBusy } from "./execution.ts";
import { emptyStream, type FoldedStream, foldInto, readFolded } from "./folded-stream.ts";
import type { Job, Lane, Settled } from "./lane.ts";

/** A command is decided anew at most so often when its stream turns out to be elsewhere. */
const MOST_CONFLICTS = 20;
/** Commands decided and appended together. */
const BATCH = 256;
/** Streams kept folded in memory. */
const FOLDED_STREAMS = 20_000;

export interface CommandHandlerOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly foldedStreams?: number;
  readonly realTime?: RealTime | undefined;
  /** For events no command asked for. */
  readonly ids?: CommandIds;
}

/**
 * The one path every command takes: fold, decide, append at the revision the decision was made on. Commands on one
 * stream queue up and those waiting are decided in turn and appended together, so a stream that everybody writes to
 * costs no retries. Nothing is answered before what it rests on is durable, rejections and no-ops included.
 */
export class CommandHandler {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #foldedStreams: number;
  readonly #realTime: RealTime;
  readonly #ids: CommandIds;
  /** Least recently used first. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: CommandHandlerOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#foldedStreams = options.foldedStreams ?? FOLDED_STREAMS;
    this.#realTime = options.realTime ?? realTime;
    this.#ids = options.ids ?? commandIds(options.clock);
  }

  /**
   * @throws StreamBusy decided too often on a state that was out of date.
   * @throws EventStoreUnavailable the store is out of reach, or the outcome could not be learnt.
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
      const lane = this.#laneOf(execution);
      lane.jobs.push({ execution, resolve, reject, conflicts: 0 });
      if (lane.running) return;
      lane.running = true;
      void this.#work(lane);
    });
  }

  #laneOf(execution: Job["execution"]): Lane {
    const known = this.#lanes.get(execution.stream);
    if (known !== undefined) return known;
    const lane: Lane = {
      stream: execution.stream,
      decider: execution.decider,
      jobs: [],
      running: false,
      folded: execution.newStream === true ? emptyStream(execution.decider) : undefined,
      unresolved: undefined,
    };
    this.#lanes.set(execution.stream, lane);
    return lane;
  }

  async #work(lane: Lane): Promise<void> {
    while (lane.jobs.length > 0) {
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
    this.#keep(lane);
  }

  async #settle(lane: Lane, jobs: readonly Job[]): Promise<void> {
    if (lane.unresolved !== undefined) await this.#resolve(lane);
    for (;;) {
      const earlier = await this.#recordedEarlier(lane, jobs);
      lane.folded ??= await readFolded(this.#store, lane.stream, lane.decider);
      const batch = decideJobs(lane, lane.folded, jobs, this.#clock.now(), earlier, this.#ids);
      if (batch.events.length > 0) return this.#record(lane, lane.folded, jobs, batch);
      if (this.#store.exclusive || !(await this.#catchUp(lane, lane.folded)))
        return answer(batch, lane.folded.position);
    }
  }

  async #record(lane: Lane, folded: FoldedStream<unknown>, jobs: readonly Job[], batch: DecidedBatch): Promise<void> {
    const expectedRevision = folded.revision;
    try {
      const appending = appendForSure(this.#store, this.#realTime, lane.stream, expectedRevision, batch.events);
      if (this.#store.exclusive) answer(batch, folded.position, isAnsweredWhenDecided);
      const appended = await appending;
      folded.revision = appended.revision;
      folded.position = appended.position;
      if (!appended.alone) lane.folded = undefined;
      answer(batch, appended.position);
    } catch (error) {
      lane.folded = undefined;
      if (error instanceof WrongExpectedRevision) return requeue(lane, jobs);
      if (error instanceof EventStoreUnavailable && error.outcomeUnknown) {
        lane.unresolved = { expectedRevision, events: batch.events };
      }
      throw error;
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
        true,
      );
    } catch (error) {
      // A conflict means it was never stored and never can be: the stream has gone on without it.
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
    lane.unresolved = undefined;
    lane.folded = undefined;
  }

  /** Where others may write: folds what they wrote since; true if there was anything. */
  async #catchUp(lane: Lane, folded: FoldedStream<unknown>): Promise<boolean> {
    const more = await this.#store.readStream(lane.stream, folded.revision + 1);
    foldInto(folded, lane.decider, more);
    return more.length > 0;
  }

  /** The fold is made anew from what is read here: a repeated command is on it exactly if it is found here. */
  async #recordedEarlier(lane: Lane, jobs: readonly Job[]): Promise<ReadonlyMap<Job, readonly RecordedEvent[]>> {
    const found = new Map<Job, readonly RecordedEvent[]>();
    if (!jobs.some(mayBeRecorded)) return found;
    const recorded = await this.#store.readStream(lane.stream);
    lane.folded = emptyStream(lane.decider);
    foldInto(lane.folded, lane.decider, recorded);
    for (const job of jobs) {
      const { context } = job.execution;
      if (context === undefined || !mayBeRecorded(job)) continue;
      const own = recorded.filter((event) => event.metadata.commandId === context.commandId);
      if (own.length > 0) found.set(job, own);
    }
    return found;
  }

  /** Most recently used streams stay folded; one that does not exist is not worth a place. */
  #keep(lane: Lane): void {
    this.#lanes.delete(lane.stream);
    if (lane.unresolved === undefined && (lane.folded === undefined || lane.folded.revision === NO_STREAM)) return;
    this.#lanes.set(lane.stream, lane);
    if (this.#lanes.size <= this.#foldedStreams) return;
    for (const [stream, oldest] of this.#lanes) {
      if (oldest.running || oldest.unresolved !== undefined) continue;
      this.#lanes.delete(stream);
      return;
    }
  }
}

/** After a conflict too: whoever wrote meanwhile may have been another attempt at this very command. */
function mayBeRecorded({ execution: { context }, conflicts }: Job): boolean {
  return context !== undefined && (context.repeated || conflicts > 0);
}

/** A refusal ends its request: it waits for what it rests on, whatever the step. */
function isAnsweredWhenDecided({ job, result }: Settled): boolean {
  return job.execution.whenDecided === true && "reply" in result;
}

function answer(batch: DecidedBatch, position: bigint, isAnswered: (settled: Settled) => boolean = () => true): void {
  for (const settled of batch.settled) {
    if (!isAnswered(settled)) continue;
    const { job, result } = settled;
    if ("error" in result) job.reject(result.error);
    else if ("rejection" in result) job.resolve({ accepted: false, rejection: result.rejection, position });
    else job.resolve({ accepted: true, reply: result.reply, position });
  }
}

function requeue(lane: Lane, jobs: readonly Job[]): void {
  const again = jobs.filter((job) => {
    job.conflicts += 1;
    if (job.conflicts <= MOST_CONFLICTS) return true;
    job.reject(new StreamBusy(`stream ${lane.stream} kept changing`));
    return false;
  });
  lane.jobs = [...again, ...lane.jobs];
}
