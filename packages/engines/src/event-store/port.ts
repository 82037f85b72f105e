import { EngineUnavailable } from "../unavailable.ts";

/** Who caused an event. */
export interface Actor {
  readonly kind: "credential" | "operator" | "system";
  readonly id: string;
}

/** Where an event comes from; the same on every engine. */
export interface EventMetadata {
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The command that decided this event. All events of one command share it. */
  readonly commandId: string;
  /** The event this one follows from; null where a request or a timer was the cause. */
  readonly causationId: string | null;
  /** The process that decided it, as `Presence` names it; absent where no other one writes. Only shared stores keep it. */
  readonly instance?: string;
}

export interface EventToAppend {
  /** A UUID. The same id at the same expected revision is the same append, not a second one. */
  readonly id: string;
  readonly type: string;
  /** Version of the shape of `data`, from 1; readers upcast older ones. */
  readonly version: number;
  /** When it was decided, milliseconds since the epoch, by the service's clock. */
  readonly at: number;
  /** JSON values only. Objects have fixed fields: a map with free keys is stored as pairs. */
  readonly data: unknown;
  /** What was taken out of `data` and sealed; absent: nothing. The engines keep it as it is. */
  readonly sealed?: string;
  readonly metadata: EventMetadata;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: string;
  /** Counts the events of one stream, from 0. */
  readonly revision: number;
  /** Orders all events of the store. Grows, may have gaps. */
  readonly position: bigint;
}

/** The expected revision of a stream that has no events. */
export const NO_STREAM = -1;

/** Before the first event. */
export const START: bigint = 0n;

export interface AppendResult {
  /** Of the last event of this append. */
  readonly revision: number;
  /** Of the last event of this append. */
  readonly position: bigint;
}

export interface SubscribeOptions {
  /** Exclusive: the first event delivered has a higher position. */
  readonly after: bigint;
  /**
   * Id of the event at `after`, as in a `LogMark`. Where it is given, the log is compared with it, and with the last event
   * delivered whenever a dropped connection is resumed.
   */
  readonly afterEvent?: string | null;
  /** Ends the iteration, without an error, at the next batch boundary. */
  readonly signal: AbortSignal;
  /** Maximum number of events in a batch; by default 1,000. */
  readonly maxBatch?: number;
}

/**
 * The log. Streams are ordered by revision, the whole store by position. Everything returned is durable.
 */
export interface EventStore {
  /**
   * True: no other process can write. State folded in memory is never behind the store, and an append is never durable
   * without those handed in before it.
   */
  readonly singleWriter: boolean;

  /**
   * Appends all events or none, after the event with `expectedRevision` (`NO_STREAM` for a new stream). Resolves when
   * they are durable. Appending the same ids at the same expected revision again resolves with the first result, and
   * stores nothing.
   * @param onOrdered called at once with the result, where `singleWriter`: what is appended or, in a state store that
   * `sharesLog`, written from now on is never durable without these events.
   * @throws WrongExpectedRevision
   * @throws AppendRefused
   * @throws EventStoreUnavailable nothing was attempted, or the outcome is unknown (`outcomeUnknown`).
   */
  append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult>;

  /**
   * The events of one stream, oldest first, from `fromRevision` on (by default 0), so many at most (by default all). Empty if
   * there are none.
   */
  readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]>;

  /**
   * All events in order, then new ones as they are appended, in batches that are never empty. The reader pulls;
   * read-ahead is bounded. Ends when the signal aborts.
   * @throws DamagedStore
   * @throws AnotherLog see `SubscribeOptions.afterEvent`.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** The position of the last event; `START` where there is none. */
  head(): Promise<bigint>;

  /** Undefined where no event is at this position. */
  eventIdAt(position: bigint): Promise<string | undefined>;

  /** Finishes what was accepted, then closes the engine. */
  close(): Promise<void>;
}

/**
 * The store never takes these events in one append, as they are too large or not what it expects. Nothing was stored; it may
 * take a part of them.
 */
export class AppendRefused extends Error {
  override readonly name = "AppendRefused";
}

export class WrongExpectedRevision extends Error {
  override readonly name = "WrongExpectedRevision";
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;

  constructor(stream: string, expected: number, actual: number) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/**
 * With `outcomeUnknown` the append may have been stored: repeat it unchanged or read the stream before deciding
 * anything else there.
 */
export class EventStoreUnavailable extends EngineUnavailable {
  override readonly name: string = "EventStoreUnavailable";
  override readonly engine: string = "the event store";
}
