import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Change, Projection } from "../../../src/projection.ts";
import { categoryOf } from "../../../src/projection.ts";

/** An event as a fixture holds it. */
export interface FixtureEvent extends Pick<RecordedEvent, "stream" | "type" | "at" | "data"> {
  readonly accountId: string | null;
}

/** What a projection writes for each of these events, one after another; as text, so that the order of fields counts. */
export function writtenDocuments({ handlers }: Projection, events: readonly FixtureEvent[]): readonly string[][] {
  const states = new Map<string, unknown>();
  return events.map(({ accountId, ...event }, index) => {
    const recorded = { ...event, position: BigInt(index + 1), metadata: { accountId } } as unknown as RecordedEvent;
    const changes = handlers[categoryOf(event.stream)]?.apply(recorded, {
      state: <State>(model: string, key: string) => states.get(`${model}/${key}`) as State | undefined,
      hasApplied: () => false,
      created: () => undefined,
    });
    for (const change of changes ?? []) {
      if (change.kind === "fold") states.set(`${change.model}/${change.key}`, change.state);
    }
    return (changes ?? []).map(textOf).sort();
  });
}

function textOf(change: Change): string {
  return JSON.stringify(change, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}
