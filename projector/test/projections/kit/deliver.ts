import { randomUUID } from "node:crypto";
import type { DomainEvent } from "@travel-booking/domain";
import type { EventMetadata, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Document, ReadModels } from "@travel-booking/engines/read-store";
import { type TemporaryReadStore, temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { OpenedReadModels } from "@travel-booking/read-models/sealed-words";
import { newWords } from "@travel-booking/read-models/testing";
import { type Projection, Projector } from "../../../src/index.ts";

/** An event with its stream. */
export type GivenEvent = readonly [stream: string, event: DomainEvent, metadata?: Partial<EventMetadata>];

const METADATA: EventMetadata = {
  accountId: "acc_1",
  actor: { kind: "credential", id: "crd_1" },
  requestId: "req_1",
  commandId: "00000000-0000-4000-8000-000000000001",
  causationId: null,
};

/** As in the log: positions count from 1, with gaps. */
export function asRecorded(given: readonly GivenEvent[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return given.map(([stream, event, metadata], index) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const position = BigInt(10 * (index + 1));
    const { type, at, data } = event;
    return {
      id: randomUUID(),
      stream,
      revision,
      position,
      type,
      at,
      data,
      version: 1,
      metadata: { ...METADATA, ...metadata },
    };
  });
}

/** Ways of delivering events, on which the documents must not depend. */
export const DELIVERIES = ["in one batch", "one by one, twice, and everything again after every restart"] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface ProjectedModels {
  readonly models: ReadModels;
  readonly events: readonly RecordedEvent[];
  document(model: string, key: string): Promise<Document | undefined>;
  /** Parsed. */
  body(model: string, key: string): Promise<unknown>;
  /** The bodies of a list, parsed, in ascending order. */
  list(model: string, index: string, partition: string): Promise<readonly unknown[]>;
}

const opened: TemporaryReadStore[] = [];

/** After each test. */
export async function closeAll(): Promise<void> {
  for (const temporary of opened.splice(0)) await temporary.close();
}

const LONG_TIMEOUT_MS = 120_000;

/** The documents that the real projector and a real read store make of a history. */
export async function deliver(
  projection: Projection,
  given: readonly GivenEvent[],
  delivery: Delivery,
): Promise<ProjectedModels> {
  const events = asRecorded(given);
  const temporary = temporaryReadStore();
  opened.push(temporary);
  const { store } = temporary;
  const words = newWords();
  const models = new OpenedReadModels(store, words);
  const problems: unknown[] = [];
  const run = async (batches: readonly (readonly RecordedEvent[])[], head: bigint) => {
    const projector = new Projector({
      eventStore: {
        head: async () => head,
        eventIdAt: async (position) => events.find((event) => event.position === position)?.id,
        async *subscribe({ signal }) {
          yield* batches;
          if (!signal.aborted)
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        },
      },
      readStore: store,
      words,
      skippedEvents: { has: async () => false },
      projections: [projection],
      onFatal: (error) => problems.push(error),
      onProblem: ({ error }) => problems.push(error),
    });
    await projector.start();
    const reached = await projector.progress.waitUntil(projection.name, head, LONG_TIMEOUT_MS);
    await projector.stop();
    if (!reached || problems.length > 0) throw new AggregateError(problems, "the projection did not get there");
  };
  if (delivery === "in one batch") await run([events], events.at(-1)?.position ?? 0n);
  else
    for (const [index, event] of events.entries()) {
      await run([events.slice(0, index + 1), [event], [event]], event.position);
    }
  models.refresh();
  const parsed = (json: string) => JSON.parse(json) as unknown;
  return {
    models,
    events,
    document: (model, key) => models.document(model, key),
    async body(model, key) {
      const body = await models.body(model, key);
      return body === undefined ? undefined : parsed(body.json);
    },
    async list(model, index, partition) {
      const items = await models.page(model, { index, partition, order: "ascending", limit: 1_000 });
      return items.map(({ json }) => parsed(json));
    },
  };
}
