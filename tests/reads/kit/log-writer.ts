import { randomUUID } from "node:crypto";
import type { DomainEvent } from "@travel-booking/domain";
import { type EventStore, NO_STREAM } from "@travel-booking/engines/event-store";

const METADATA = {
  accountId: null,
  actor: { kind: "credential", id: "crd_1" },
  requestId: "req_1",
  commandId: "00000000-0000-4000-8000-000000000001",
  causationId: null,
} as const;

/** Puts given events into a log, as a command would have. */
export class LogWriter {
  readonly #store: Pick<EventStore, "append">;
  readonly #revisions = new Map<string, number>();

  constructor(store: Pick<EventStore, "append">) {
    this.#store = store;
  }

  /** Answers the position of the last one. */
  async append(stream: string, ...events: readonly DomainEvent[]): Promise<bigint> {
    const revision = this.#revisions.get(stream) ?? NO_STREAM;
    const toAppend = events.map((event) => ({ ...event, id: randomUUID(), version: 1, metadata: METADATA }));
    const result = await this.#store.append(stream, revision, toAppend);
    this.#revisions.set(stream, result.revision);
    return result.position;
  }
}
