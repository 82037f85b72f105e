import { EngineUnavailable } from "../unavailable.ts";

/** Who caused an event. */
export interface Actor {
  readonly kind: "credential" | "operator" | "system";
  readonly id: string;
}

/** The origin of an event; the same on every engine. */
export interface EventMetadata {
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The command that decided this event. All events of one command share it. */
  readonly commandId: string;
  /** The event this one follows from; null if a request or a timer was the cause. */
  readonly causationId: string | null;
  /** The deciding process, as `Presence` names it. Only shared stores have it; absent where no other process writes. */
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
  /** The part of `data` that was taken out and sealed; absent: nothing. The engines store it unchanged. */
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

/** The position before the first event. */
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
   * Id of the event at `after`, as in a `LogMark`. If given, the log is compared with it, and with the last delivered
   * event whenever a dropped connection is resumed.
   */
  readonly afterEvent?: string | null;
  /** Ends the iteration, without an error, at the next batch boundary. */
  readonly signal: AbortSignal;
  /** Maximum number of events in a batch; by default 1,000. Fewer where they are large. */
  readonly maxBatch?: number;
}

/** Limit of what a batch has as it is stored, except its last append: an event may have a hundred kilobytes. */
export const MAX_BATCH_BYTES = 4_194_304;

/**
 * The log. Streams are ordered by revision, the whole store by position. Everything returned is durable.
 */
export interface EventStore {
  /**
   * True if no other process can write. Then state folded in memory is never behind the store, and an append is never
   * durable without the ones before it.
   */
  readonly singleWriter: boolean;

  /**
   * Appends all events or none, after the event with `expectedRevision` (`NO_STREAM` for a new stream). Resolves when
   * they are durable. Appending the same ids at the same expected revision again resolves with the first result, and
   * stores nothing.
   * @param onOrdered called at once with the result, if `singleWriter`. Later appends, and later writes to a state
   * store that `sharesLog`, are never durable without these events.
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
   * At most `most` events of one stream (by default all), oldest first, from `fromRevision` on (by default 0). Empty if there
   * are none.
   */
  readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]>;

  /**
   * All events in order, then new ones as they are appended, in batches that are never empty. The reader pulls, and
   * read-ahead is bounded. Ends when the signal aborts.
   * @throws DamagedStore
   * @throws AnotherLog see `SubscribeOptions.afterEvent`.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** The position of the last event; `START` if there is none. */
  head(): Promise<bigint>;

  /** Undefined if no event is at this position. */
  eventIdAt(position: bigint): Promise<string | undefined>;

  /** Finishes accepted appends, then closes the engine. */
  close(): Promise<void>;
}

/**
 * The store refuses these events in one append: they are too large, or not what it expects. Nothing was stored. Fewer
 * of them may be accepted.
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
