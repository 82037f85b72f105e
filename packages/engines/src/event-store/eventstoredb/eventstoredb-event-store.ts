import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import { KnownLog } from "../known-log.ts";
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
} from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { clientConnectionString } from "./connection-string.ts";
import { ForeignEvent, storeClosed } from "./errors.ts";
import { encodeEvent, isSystemName } from "./event-codec.ts";

export * from "./errors.ts";

export interface EventStoreDbOptions {
  readonly upcast?: Upcast;
  /** For the log: an outage begins, which the store recovers from by itself. */
  readonly onProblem?: (error: Error) => void;
  /** For the log: it is over. */
  readonly onRecovered?: () => void;
  /** Real milliseconds for one append; by default 3,000. */
  readonly appendTimeoutMs?: number;
  /** Real milliseconds for reading a stream or the head; by default 10,000. */
  readonly readTimeoutMs?: number;
  /** Real milliseconds without activity after which a subscription is checked; by default 5,000. */
  readonly idleTimeoutMs?: number;
  /** Before a dropped subscription is reopened; by default 100 ms growing to 5,000 ms of real time. */
  readonly backOff?: BackoffOptions;
}

const PING_TIMEOUT_MS = 2_000;
const DEFAULT_BATCH = 1_000;
const DEFAULTS: ConnectionOptions = {
  appendTimeoutMs: 3_000,
  readTimeoutMs: 10_000,
  idleTimeoutMs: 5_000,
  backOff: { initialMs: 100, maxMs: 5_000 },
  onProblem: () => undefined,
  onRecovered: () => undefined,
};

/**
 * The log on EventStoreDB or KurrentDB, which other processes may write to as well. It connects on first use.
 * @param url `esdb://` or `kurrentdb://`, with `+discover` for a cluster.
 * @throws Error the url is invalid; the message repeats nothing of it.
 */
export function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): EventStoreDbStore {
  return new EventStoreDbStore(clientConnectionString(url), options);
}

export class EventStoreDbStore implements EventStore {
  readonly singleWriter = false;
  readonly #connectionString: string;
  readonly #upcast: Upcast;
  readonly #options: ConnectionOptions;
  /** Whether the server has the right log. */
  readonly knownLog: KnownLog;
  readonly #inFlight = new InFlightAppends();
  readonly #closing = new AbortController();
  #opened: Connection | undefined;
  #isClosed = false;

  constructor(connectionString: string, { upcast = (event) => event, ...options }: EventStoreDbOptions) {
    this.#connectionString = connectionString;
    this.#upcast = upcast;
    this.#options = { ...DEFAULTS, ...options };
    this.knownLog = new KnownLog(this, this.#options, this.#closing.signal);
  }

  /**
   * @throws WrongExpectedRevision
   * @throws EventStoreUnavailable
   * @throws AppendRefused
   * @throws StreamTombstoned
   * @throws AnotherLog
   */
  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    if (this.#isClosed) throw storeClosed();
    if (events.length === 0) throw new RangeError("nothing to append");
    if (!Number.isSafeInteger(expectedRevision) || expectedRevision < NO_STREAM) {
      throw new RangeError(`no stream is at revision ${expectedRevision}`);
    }
    if (isSystemName(stream) || events.some(({ type }) => isSystemName(type))) {
      throw new RangeError("names that begin with $ are EventStoreDB's own: no subscriber would get such an event");
    }
    const request = { stream, expectedRevision, events: events.map(encodeEvent) };
    return this.#inFlight.run(stream, expectedRevision, events, () => this.#connection().append(request));
  }

  /**
   * Empty also if the stream was deleted and not written to since.
   * @throws EventStoreUnavailable
   * @throws ForeignEvent
   * @throws StreamTombstoned
   */
  async readStream(stream: string, fromRevision = 0): Promise<readonly RecordedEvent[]> {
    const events = await this.#connection().readStream(stream, fromRevision);
    return events.map(({ recorded, revision }) => {
      if (recorded === undefined) throw new ForeignEvent(stream, revision);
      return this.#upcast(recorded);
    });
  }

  /** Skips events that this service did not write, and resumes after a dropped subscription. */
  async *subscribe({ signal, maxBatch = DEFAULT_BATCH, ...after }: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    if (!(maxBatch >= 1)) throw new RangeError(`a batch of at most ${maxBatch} events can't be made`);
    const end = AbortSignal.any([signal, this.#closing.signal]);
    if (end.aborted) return;
    const subscriber = this.#connection().subscribe(after, end);
    try {
      while (!end.aborted) {
        const ours: RecordedEvent[] = [];
        for (const { recorded } of await subscriber.nextBatch(maxBatch)) {
          if (recorded !== undefined) ours.push(this.#upcast(recorded));
        }
        if (ours.length > 0) yield ours;
      }
    } finally {
      subscriber.stop();
    }
  }

  /**
   * Position of the last event that a subscriber gets: system events and those of other writers do not count.
   * @throws EventStoreUnavailable
   */
  async head(): Promise<bigint> {
    return this.#connection().head();
  }

  /** @throws EventStoreUnavailable */
  async eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#connection().eventIdAt(position);
  }

  /**
   * Whether the server answers within `timeoutMs` of real time; by default 2,000.
   * @throws AnotherLog
   * @throws EventStoreUnavailable it refuses this process as it is set up.
   */
  async ping(timeoutMs = PING_TIMEOUT_MS): Promise<boolean> {
    return !this.#isClosed && this.#connection().ping(timeoutMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inFlight.settled();
    this.#closing.abort();
    await this.#opened?.close();
  }

  #connection(): Connection {
    if (this.#isClosed) throw storeClosed();
    this.#opened ??= new Connection(this.#connectionString, this.#options, this.knownLog, this.#closing.signal);
    return this.#opened;
  }
}

interface InFlightAppend {
  readonly events: readonly EventToAppend[];
  readonly result: Promise<AppendResult>;
}

/**
 * The pending appends of this process. Identical ones share the answer: while the first is pending the server drops the
 * second, which would time out.
 */
export class InFlightAppends {
  readonly #all = new Set<Promise<AppendResult>>();
  /** The first of each stream and expected revision. */
  readonly #byExpectedRevision = new Map<string, InFlightAppend>();

  async run(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    append: () => Promise<AppendResult>,
  ): Promise<AppendResult> {
    const slot = `${expectedRevision}@${stream}`;
    const first = this.#byExpectedRevision.get(slot);
    if (first !== undefined && isSame(first.events, events)) return first.result;
    const result = append();
    if (first === undefined) this.#byExpectedRevision.set(slot, { events, result });
    this.#all.add(result);
    try {
      return await result;
    } finally {
      this.#all.delete(result);
      if (this.#byExpectedRevision.get(slot)?.result === result) this.#byExpectedRevision.delete(slot);
    }
  }

  /** Resolves when all have settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

function isSame(some: readonly EventToAppend[], others: readonly EventToAppend[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id);
}
