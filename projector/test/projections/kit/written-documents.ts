import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { DocumentCache } from "../../../src/document-cache.ts";
import { categoryOf, type Projection } from "../../../src/projection.ts";

/** An event as a fixture holds it. */
export interface FixtureEvent extends Pick<RecordedEvent, "stream" | "type" | "at" | "data"> {
  readonly accountId: string | null;
}

/** What a projection writes for each of these events, one after another; as text, so that the order of fields counts. */
export function writtenDocuments(
  { handlers, models }: Projection,
  events: readonly FixtureEvent[],
): readonly string[][] {
  const cache = new DocumentCache(models, 0n);
  return events.map(({ accountId, ...event }, index) => {
    const position = BigInt(index + 1);
    const recorded = { ...event, revision: index + 1, position, metadata: { accountId } } as unknown as RecordedEvent;
    const handler = handlers[categoryOf(event.stream)];
    for (const { model, key } of handler?.reads(recorded) ?? []) {
      if (!cache.has(model, key)) cache.putFetched(model, key, undefined);
    }
    for (const change of handler?.apply(recorded, cache) ?? []) cache.apply(position, change);
    return cache
      .takeWrites()
      .map((write) => textOf(write))
      .sort();
  });
}

function textOf(write: unknown): string {
  return JSON.stringify(write, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}
