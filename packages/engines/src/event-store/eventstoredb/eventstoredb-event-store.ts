import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
} from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import { clientConnectionString } from "./connection-string.ts";
import { ForeignEvent, storeClosed } from "./errors.ts";
import { decodeEvent, encodeEvent, isSystemName } from "./event-codec.ts";

export * from "./errors.ts";

export interface EventStoreDbOptions {
  readonly upcast?: Upcast;
  /** For the log: a subscription was dropped, or could not be taken up; it is tried again. */
  readonly onProblem?: (error: Error) => void;
  /** Of one append, in real milliseconds; 3,000 unless told. */
  readonly appendTimeoutMs?: number;
  /** Of a stream or the head, in real milliseconds; 10,000 unless told. */
  readonly readTimeoutMs?: number;
  /** A subscription without a sign of life for so long is looked after, in real milliseconds; 5,000 unless told. */
  readonly idleTimeoutMs?: number;
  /** Before a dropped subscription is taken up; 100 ms growing to 5,000 ms of real time unless told. */
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
};

/**
 * The log on EventStoreDB or KurrentDB, which other processes may write to as well. The server is first looked for
 * when it is needed.
 * @param url `esdb://` or `kurrentdb://`, with `+discover` for a cluster.
 * @throws Error the url can't be used; nothing of it is in the message.
 */
export function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): EventStoreDbStore {
  return new EventStoreDbStore(clientConnectionString(url), options);
}

export class EventStoreDbStore implements EventStore {
  readonly singleWriter = false;
  readonly #connectionString: string;
  readonly #upcast: Upcast;
  readonly #options: ConnectionOptions;
  readonly #inFlight = new InFlightAppends();
  readonly #closing = new AbortController();
  #connecting: Promise<Connection> | undefined;
  #isClosed = false;

  /** @param connectionString as the client takes it. */
  constructor(connectionString: string, { upcast = (event) => event, ...options }: EventStoreDbOptions) {
    this.#connectionString = connectionString;
    this.#upcast = upcast;
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * @throws WrongExpectedRevision
   * @throws EventStoreUnavailable
   * @throws AppendTooLarge
   * @throws StreamTombstoned
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
    return this.#inFlight.run(stream, expectedRevision, events, async () => (await this.#connection()).append(request));
  }

  /**
   * Empty also where the stream was deleted and nobody has written to it since.
   * @throws EventStoreUnavailable
   * @throws ForeignEvent
   * @throws StreamTombstoned
   */
  async readStream(stream: string, fromRevision = 0): Promise<readonly RecordedEvent[]> {
    const connection = await this.#connection();
    const events = await connection.readStream(stream, fromRevision);
    return events.map(({ event }) => {
      const recorded = decodeEvent(event);
      if (recorded === undefined) throw new ForeignEvent(stream, event?.revision ?? 0n);
      return this.#upcast(recorded);
    });
  }

  /** Passes over what others have written. A subscription that is dropped is taken up where it was, without a word. */
  async *subscribe({ after, signal, maxBatch = DEFAULT_BATCH }: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    if (!(maxBatch >= 1)) throw new RangeError(`a batch of at most ${maxBatch} events can't be made`);
    const end = AbortSignal.any([signal, this.#closing.signal]);
    if (end.aborted) return;
    const connection = await this.#connection();
    const subscriber = connection.subscribe(after, end);
    try {
      while (!end.aborted) {
        const events = await subscriber.nextBatch(maxBatch);
        const ours = events.flatMap((event) => decodeEvent(event) ?? []);
        if (ours.length > 0) yield ours.map((event) => this.#upcast(event));
      }
    } finally {
      subscriber.stop();
    }
  }

  /**
   * Of the last event that a subscriber gets: the server's own and those of others do not count.
   * @throws EventStoreUnavailable
   */
  async head(): Promise<bigint> {
    return (await this.#connection()).head();
  }

  /** Whether the server answers, within so many real milliseconds; 2,000 unless told. */
  async ping(timeoutMs = PING_TIMEOUT_MS): Promise<boolean> {
    return !this.#isClosed && (await this.#connection()).ping(timeoutMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inFlight.settled();
    this.#closing.abort();
    const connection = await this.#connecting?.catch(() => undefined);
    await connection?.close();
  }

  /** Services on the embedded log never load the client: it takes its time. */
  async #connection(): Promise<Connection> {
    if (this.#isClosed) throw storeClosed();
    this.#connecting ??= import("./connection.ts").then(
      ({ Connection }) => new Connection(this.#connectionString, this.#options, this.#closing.signal),
    );
    return this.#connecting;
  }
}

interface InFlightAppend {
  readonly events: readonly EventToAppend[];
  readonly result: Promise<AppendResult>;
}

/**
 * The appends of this process that are not answered yet. Where the same one is asked for twice they share the answer:
 * the server drops the second for as long as the first is under way, and lets it run into a time-out.
 */
export class InFlightAppends {
  readonly #all = new Set<Promise<AppendResult>>();
  /** The first at each place. */
  readonly #byExpectedRevision = new Map<string, InFlightAppend>();

  async run(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    append: () => Promise<AppendResult>,
  ): Promise<AppendResult> {
    const place = `${expectedRevision}@${stream}`;
    const first = this.#byExpectedRevision.get(place);
    if (first !== undefined && isSame(first.events, events)) return first.result;
    const result = append();
    if (first === undefined) this.#byExpectedRevision.set(place, { events, result });
    this.#all.add(result);
    try {
      return await result;
    } finally {
      this.#all.delete(result);
      if (this.#byExpectedRevision.get(place)?.result === result) this.#byExpectedRevision.delete(place);
    }
  }

  /** Resolves when all of them have come to their end, whatever that is. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

function isSame(some: readonly EventToAppend[], others: readonly EventToAppend[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id);
}
