import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  type RecordedEvent,
  type SubscribeOptions,
} from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";

type Fault = "lost-before" | "lost-after" | "refused";

/** An event store that fails as it is told to: the next append meets the next fault. */
export class ScriptedEventStore implements EventStore {
  readonly singleWriter: boolean;
  readonly inner = new InMemoryEventStore();
  readonly faults: (Fault | "none")[] = [];
  /** Every batch that was handed in, failed ones included. */
  readonly attempts: { readonly stream: string; readonly expectedRevision: number; readonly ids: readonly string[] }[] =
    [];

  /** From which revision streams were read. */
  readonly reads: number[] = [];

  constructor(exclusive = true) {
    this.singleWriter = exclusive;
  }

  #gate: Promise<void> | undefined;
  readonly #arrived = Promise.withResolvers<void>();

  /** Appends wait until the gate is opened. */
  blockAppends(): { readonly open: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return { open: resolve };
  }

  /** Resolves when an append waits at the gate, and whatever was to happen at once has happened. */
  async appendBlocked(): Promise<void> {
    await this.#arrived.promise;
    await new Promise(setImmediate);
  }

  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    this.attempts.push({ stream, expectedRevision, ids: events.map((event) => event.id) });
    this.#arrived.resolve();
    const revision = expectedRevision + events.length;
    if (this.singleWriter) onOrdered?.({ revision, position: (await this.inner.head()) + BigInt(events.length) });
    await this.#gate;
    const fault = this.faults.shift() ?? "none";
    if (fault === "refused") throw new EventStoreUnavailable("refused", { outcomeUnknown: false });
    if (fault === "lost-before") throw new EventStoreUnavailable("lost", { outcomeUnknown: true });
    const result = await this.inner.append(stream, expectedRevision, events);
    if (fault === "lost-after") throw new EventStoreUnavailable("lost", { outcomeUnknown: true });
    return result;
  }

  async readStream(stream: string, fromRevision = 0, most?: number): Promise<readonly RecordedEvent[]> {
    this.reads.push(fromRevision);
    return this.inner.readStream(stream, fromRevision, most);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.inner.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.inner.head();
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.inner.eventIdAt(position);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
