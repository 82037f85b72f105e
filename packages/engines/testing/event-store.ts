import { AppendNotifier } from "../src/event-store/append-notifier.ts";
import { assertSameLog } from "../src/event-store/known-log.ts";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
  WrongExpectedRevision,
} from "../src/event-store/port.ts";

/** An event store in memory. */
export class InMemoryEventStore implements EventStore {
  readonly singleWriter = true;
  readonly #all: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #notifier = new AppendNotifier();
  readonly #closing = new AbortController();

  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    if (this.#closing.signal.aborted) {
      throw new EventStoreUnavailable("the event store is closed", { outcomeUnknown: false });
    }
    if (events.length === 0) throw new RangeError("nothing to append");
    const history = this.#streams.get(stream) ?? [];
    const head = history.length + NO_STREAM;
    if (expectedRevision !== head) {
      const stored = history.slice(expectedRevision + 1, expectedRevision + 1 + events.length);
      const last = stored[events.length - 1];
      if (last === undefined || stored.some((event, index) => event.id !== events[index]?.id)) {
        throw new WrongExpectedRevision(stream, expectedRevision, head);
      }
      return { revision: last.revision, position: last.position };
    }
    for (const event of events) this.#record(stream, history, event);
    this.#streams.set(stream, history);
    this.#notifier.notify();
    const result = { revision: history.length - 1, position: BigInt(this.#all.length) };
    onOrdered?.(result);
    return result;
  }

  /** The last revision of a stream, and the last position of all. */
  heads(stream: string): AppendResult {
    return { revision: (this.#streams.get(stream)?.length ?? 0) + NO_STREAM, position: BigInt(this.#all.length) };
  }

  async readStream(stream: string, fromRevision = 0, most?: number): Promise<readonly RecordedEvent[]> {
    return structuredClone((this.#streams.get(stream) ?? []).slice(fromRevision).slice(0, most));
  }

  async *subscribe({
    after,
    afterEvent,
    signal,
    maxBatch = 1_000,
  }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    if (afterEvent !== undefined) await assertSameLog(this, [{ position: after, id: afterEvent }]);
    const end = AbortSignal.any([signal, this.#closing.signal]);
    let next = Number(after);
    while (!end.aborted) {
      const seen = this.#notifier.version();
      const batch = structuredClone(this.#all.slice(next, next + maxBatch));
      next += batch.length;
      if (batch.length > 0) yield batch;
      else await this.#notifier.waitForChange(seen, end);
    }
  }

  async head(): Promise<bigint> {
    return BigInt(this.#all.length);
  }

  async eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#all[Number(position) - 1]?.id;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #record(stream: string, history: RecordedEvent[], event: EventToAppend): void {
    const recorded = {
      ...structuredClone(event),
      stream,
      revision: history.length,
      position: BigInt(this.#all.length + 1),
    };
    history.push(recorded);
    this.#all.push(recorded);
  }
}
