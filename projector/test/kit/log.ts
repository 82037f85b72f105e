import { randomUUID } from "node:crypto";
import type { RecordedEvent, SubscribeOptions } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";

const METADATA = {
  accountId: null,
  actor: { kind: "system", id: "test" },
  requestId: null,
  commandId: "command",
  causationId: null,
} as const;

/** A log whose subscriptions can be made to fail and to deliver twice. Its events are frozen. */
export class TestLog {
  readonly store = new InMemoryEventStore();
  readonly #revisions = new Map<string, number>();
  /** Thrown by every subscription, at its next batch. */
  failure: Error | undefined;
  /** Subscriptions started so far. */
  subscriptions = 0;

  async record(stream: string, type: string, name = ""): Promise<bigint> {
    const revision = this.#revisions.get(stream) ?? -1;
    this.#revisions.set(stream, revision + 1);
    const event = { id: randomUUID(), type, version: 1, at: 0, data: { name }, metadata: METADATA };
    return (await this.store.append(stream, revision, [event])).position;
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.store.eventIdAt(position);
  }

  head(): Promise<bigint> {
    return this.store.head();
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    this.subscriptions++;
    if (this.failure !== undefined) throw this.failure;
    for await (const events of this.store.subscribe(options)) {
      yield events.map(frozen);
      if (this.failure !== undefined) throw this.failure;
    }
  }

  async all(): Promise<readonly RecordedEvent[]> {
    const stop = new AbortController();
    for await (const events of this.subscribe({ after: 0n, signal: stop.signal, maxBatch: 1_000_000 })) return events;
    return [];
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
