import { setImmediate } from "node:timers/promises";
import {
  AppendRefused,
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  type RecordedEvent,
  type SubscribeOptions,
} from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";

/**
 * `out of reach`: nothing is attempted, and nothing can be read. `append lost`, `answer lost`: the outcome is unknown.
 * `too large`: the store never takes it.
 */
export type Outage = "out of reach" | "append lost" | "answer lost" | "too large";

/** An event store that fails from the n-th append on, for so many operations; then it is well again. */
export class FailingEventStore implements EventStore {
  readonly singleWriter: boolean;
  /** Since the last `failFrom` or `recover`. */
  appends = 0;
  reads = 0;
  readonly #inner = new InMemoryEventStore();
  #outage: Outage | undefined;
  #from = 0;
  #left = 0;
  #failedRead: number | undefined;

  constructor(singleWriter: boolean) {
    this.singleWriter = singleWriter;
  }

  /** @param from counts the appends from now on, from 0. @param times how often it fails; by default until `recover`. */
  failFrom(from: number, outage: Outage, times = Number.POSITIVE_INFINITY): void {
    this.appends = 0;
    this.#outage = outage;
    this.#from = from;
    this.#left = times;
  }

  /** The n-th read from now on, from 0, fails, and nothing else. */
  failRead(index: number): void {
    this.recover();
    this.#failedRead = index;
  }

  recover(): void {
    this.appends = 0;
    this.reads = 0;
    this.#failedRead = undefined;
    this.#outage = undefined;
  }

  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    this.appends += 1;
    const outage = this.#fails();
    if (outage === "out of reach") throw notAttempted();
    if (outage === "too large") throw new AppendRefused("too large");
    if (outage === "append lost") throw outcomeUnknown();
    // It takes longer than a read.
    if (this.#failedRead !== undefined) await setImmediate();
    const result = await this.#inner.append(
      stream,
      expectedRevision,
      events,
      this.singleWriter ? onOrdered : undefined,
    );
    if (outage === "answer lost") throw outcomeUnknown();
    return result;
  }

  async readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]> {
    const index = this.reads++;
    if (index === this.#failedRead) throw notAttempted();
    if (this.#outage === "out of reach" && this.#fails()) throw notAttempted();
    return this.#inner.readStream(stream, fromRevision, most);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#inner.subscribe(options);
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#inner.eventIdAt(position);
  }

  head(): Promise<bigint> {
    return this.#inner.head();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #fails(): Outage | undefined {
    if (this.appends <= this.#from || this.#left === 0) return undefined;
    this.#left -= 1;
    return this.#outage;
  }
}

function notAttempted(): EventStoreUnavailable {
  return new EventStoreUnavailable("out of reach", { outcomeUnknown: false });
}

function outcomeUnknown(): EventStoreUnavailable {
  return new EventStoreUnavailable("no answer", { outcomeUnknown: true });
}
