import { setTimeout } from "node:timers/promises";
import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import { AnotherLog, KnownLog } from "../known-log.ts";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
  WrongExpectedRevision,
} from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import { AppendClient } from "./append-client.ts";
import type { AppendRequest } from "./append-messages.ts";
import { Availability } from "./availability.ts";
import { Calls } from "./calls.ts";
import { Cluster } from "./cluster.ts";
import { parseAddress, type ServerAddress } from "./connection-string.ts";
import { ForeignEvent, isStreamDeleted, StreamTombstoned, speaksTlsOnly, storeClosed, unavailable } from "./errors.ts";
import { encodeEvent, isSystemName, type ReadEvent } from "./event-codec.ts";
import { InFlightAppends } from "./in-flight-appends.ts";
import { Outage, type OutageObserver } from "./outage.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { allRequest, streamRequest } from "./read-messages.ts";
import { eventIdAt, HeadFinder, type ReadDeadline, readEvents } from "./reads.ts";
import { speaksTls } from "./speaks-tls.ts";
import { resumingSubscription } from "./subscription.ts";

export * from "./errors.ts";

export interface EventStoreDbOptions extends Partial<OutageObserver> {
  readonly upcast?: Upcast;
  /** Real milliseconds for one append; by default 3,000. */
  readonly appendTimeoutMs?: number;
  /** Real milliseconds for reading a stream or the head; by default 10,000. */
  readonly readTimeoutMs?: number;
  /** Real milliseconds without activity after which a subscription is checked; by default 5,000. */
  readonly idleTimeoutMs?: number;
  /**
   * Real milliseconds for which appends and reads wait for a server that is out of reach or not ready; by default
   * 10,000. So an election refuses no request. After a longer outage they fail at once.
   */
  readonly toleratedOutageMs?: number;
  /** Pauses before a dropped subscription is reopened; by default from 100 to 5,000 ms of real time. */
  readonly backOff?: BackoffOptions;
}

type Settings = Required<Omit<EventStoreDbOptions, "upcast">>;

const DEFAULTS: Settings = {
  appendTimeoutMs: 3_000,
  readTimeoutMs: 10_000,
  idleTimeoutMs: 5_000,
  toleratedOutageMs: 10_000,
  backOff: { initialMs: 100, maxMs: 5_000 },
  onProblem: () => undefined,
  onRecovered: () => undefined,
};
const DEFAULT_BATCH = 1_000;
const PING_TIMEOUT_MS = 2_000;
/** Real milliseconds between reads of an event that the server has reported but does not show yet. */
const FIRST_DELAY_MS = 2;
const MAX_DELAY_MS = 256;

/**
 * The log on EventStoreDB or KurrentDB. Other processes may write to it, too. It connects on first use.
 * @param url `esdb://` or `kurrentdb://`, with `+discover` for a cluster.
 * @throws Error the url is invalid; the message repeats nothing of it.
 * @throws EventStoreUnavailable a file that the url names can't be read.
 */
export function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): EventStoreDbStore {
  return new EventStoreDbStore(parseAddress(url), options);
}

async function readLast(calls: Calls, deadline: ReadDeadline): Promise<void> {
  await readEvents(calls, allRequest("backwards", "end", 1), deadline);
}

export class EventStoreDbStore implements EventStore {
  readonly singleWriter = false;
  /** Whether the server has the right log. */
  readonly knownLog: KnownLog;
  readonly #upcast: Upcast;
  readonly #settings: Settings;
  readonly #address: ServerAddress;
  readonly #cluster: Cluster;
  readonly #calls: Calls;
  readonly #deadline: ReadDeadline;
  readonly #appends: AppendClient;
  readonly #inFlight = new InFlightAppends();
  readonly #head: HeadFinder;
  readonly #outage: Outage;
  readonly #availability: Availability;
  #wasReached = false;
  /** Ends reads. */
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(address: ServerAddress, { upcast = (event) => event, ...options }: EventStoreDbOptions) {
    this.#address = address;
    this.#upcast = upcast;
    this.#settings = { ...DEFAULTS, ...options };
    const { appendTimeoutMs, readTimeoutMs, toleratedOutageMs } = this.#settings;
    const closing = this.#closing.signal;
    this.#outage = new Outage(this.#settings);
    this.#cluster = new Cluster(address, closing);
    this.#calls = new Calls(this.#cluster, appendTimeoutMs);
    this.#deadline = { timeoutMs: readTimeoutMs, signal: closing };
    this.#availability = new Availability({
      outage: this.#outage,
      toleratedMs: toleratedOutageMs,
      probe: (write) => this.#probe(write),
      closing,
    });
    this.knownLog = new KnownLog(this, this.#settings, closing);
    this.#appends = new AppendClient(this.#calls, appendTimeoutMs, () => this.knownLog.verify());
    this.#head = new HeadFinder(this.#calls, this.#deadline);
  }

  /**
   * @throws WrongExpectedRevision
   * @throws EventStoreUnavailable
   * @throws AppendRefused
   * @throws StreamTombstoned
   * @throws AnotherLog
   */
  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    this.#assertOpen();
    if (events.length === 0) throw new RangeError("nothing to append");
    if (!Number.isSafeInteger(expectedRevision) || expectedRevision < NO_STREAM) {
      throw new RangeError(`no stream is at revision ${expectedRevision}`);
    }
    if (isSystemName(stream) || events.some(({ type }) => isSystemName(type))) {
      throw new RangeError("names that begin with $ are EventStoreDB's own: no subscriber would get such an event");
    }
    const request = { stream, expectedRevision, events: events.map(encodeEvent) };
    return this.#inFlight.run(stream, expectedRevision, events, () =>
      this.#availability.call(true, () => this.#append(request)),
    );
  }

  /**
   * Also empty if the stream was deleted and not written to since.
   * @throws EventStoreUnavailable
   * @throws ForeignEvent
   * @throws StreamTombstoned
   * @throws AnotherLog
   */
  async readStream(stream: string, fromRevision = 0, most?: number): Promise<readonly RecordedEvent[]> {
    this.#assertOpen();
    const events = await this.#availability.call(false, () => this.#readStream(stream, fromRevision, most));
    return events.map(({ recorded, revision }) => {
      if (recorded === undefined) throw new ForeignEvent(stream, revision);
      return this.#upcast(recorded);
    });
  }

  /** Skips events that this service did not write, and resumes after a dropped subscription. */
  async *subscribe({ maxBatch = DEFAULT_BATCH, ...options }: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    if (!(maxBatch >= 1)) throw new RangeError(`a batch of at most ${maxBatch} events can't be made`);
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const subscribed = { ...this.#settings, ...options, maxBatch, signal, log: this, outage: this.#outage };
    for await (const events of resumingSubscription(this.#calls, subscribed)) {
      const ours: RecordedEvent[] = [];
      for (const { recorded } of events) if (recorded !== undefined) ours.push(this.#upcast(recorded));
      if (ours.length > 0) yield ours;
    }
  }

  /**
   * Position of the last event that a subscriber gets. System events and events of other writers do not count.
   * @throws EventStoreUnavailable
   */
  async head(): Promise<bigint> {
    this.#assertOpen();
    return this.#head.find().catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  /** @throws EventStoreUnavailable */
  async eventIdAt(position: bigint): Promise<string | undefined> {
    this.#assertOpen();
    return eventIdAt(this.#calls, position, this.#deadline);
  }

  /**
   * Whether the server answers within `timeoutMs` of real time, by default 2,000, and takes appends, as far as is
   * known.
   * @throws AnotherLog
   * @throws EventStoreUnavailable the server refuses this process as it is set up: waiting does not help.
   */
  async ping(timeoutMs = PING_TIMEOUT_MS): Promise<boolean> {
    if (this.#isClosed) return false;
    try {
      await readLast(this.#calls, { ...this.#deadline, timeoutMs });
      this.#wasReached = true;
      await this.knownLog.verify();
      return !this.#availability.hasProblem;
    } catch (error) {
      const problem = unavailable(error);
      if (problem.isMisconfigured || problem instanceof AnotherLog) throw problem;
      const [first] = this.#address.nodes;
      if (!this.#wasReached && !this.#address.usesTls && (await speaksTls(first, timeoutMs))) throw speaksTlsOnly();
      return false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inFlight.settled();
    this.#closing.abort();
    this.#cluster.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }

  async #append(request: AppendRequest): Promise<AppendResult> {
    if (this.knownLog.problem !== undefined) throw this.knownLog.problem;
    try {
      const { revision, position: acknowledged } = await this.#appends.append(request);
      const position = acknowledged ?? (await this.#positionOf(request.stream, revision));
      // Usually the append was repeated, or another answer came first.
      if (!this.knownLog.appended(position, request.events.at(-1)?.id.text ?? "")) await this.#verifyAfterAppend();
      return { revision, position };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) await this.#waitUntilReadable(error);
      throw error;
    }
  }

  /**
   * Waits until the conflicting append can be read. A caller that reads too early finds nothing new, and conflicts
   * again. The wait is bounded, because a deleted stream never becomes readable.
   */
  async #waitUntilReadable({ stream, expected, actual }: WrongExpectedRevision): Promise<void> {
    if (actual <= expected) return;
    for (let pause = FIRST_DELAY_MS; pause <= MAX_DELAY_MS; pause *= 2) {
      const read = await this.#readStream(stream, actual, 1).catch(() => undefined);
      if (read?.length !== 0) return;
      await setTimeout(pause);
    }
  }

  /** The events are stored. While the log can't be read, it is unknown whether it is the right log. */
  async #verifyAfterAppend(): Promise<void> {
    await this.knownLog.verify().catch((cause: unknown) => {
      if (cause instanceof AnotherLog) throw cause;
      const message = "EventStoreDB stored an append, and the log can't be compared";
      throw new EventStoreUnavailable(message, { outcomeUnknown: true, cause });
    });
  }

  async #positionOf(stream: string, revision: number): Promise<bigint> {
    const failed = (cause?: unknown) =>
      new EventStoreUnavailable("EventStoreDB stored an append and did not say where", { outcomeUnknown: true, cause });
    const events = await this.#readStream(stream, revision, 1).catch((error: unknown) => {
      throw failed(error);
    });
    const position = events[0]?.position;
    if (position === undefined) throw failed();
    return position.commit;
  }

  /** Empty if there is no such stream. */
  async #readStream(stream: string, fromRevision: number, maxCount = Number.MAX_SAFE_INTEGER): Promise<ReadEvent[]> {
    if (this.knownLog.problem !== undefined) throw this.knownLog.problem;
    try {
      return await readEvents(this.#calls, streamRequest(stream, fromRevision, maxCount), this.#deadline);
    } catch (error) {
      throw isStreamDeleted(error) ? new StreamTombstoned(stream) : unavailable(error);
    }
  }

  /** Rejects if appends, or else reads, are not answered. */
  async #probe(write: boolean): Promise<void> {
    if (!write) return readLast(this.#calls, this.#deadline);
    const node = await this.#cluster.node();
    await new ReadBarrier(node, this.#settings.appendTimeoutMs).pass().catch((error: unknown) => {
      void this.#cluster.reconsider(node);
      throw error;
    });
  }
}
