import { type EventStore, type RecordedEvent, START } from "@travel-booking/engines/event-store";

/** Everything in the log behind a position, oldest first. */
export async function readLog(store: EventStore, after: bigint = START): Promise<readonly RecordedEvent[]> {
  const head = await store.head();
  const events: RecordedEvent[] = [];
  if (head <= after) return events;
  for await (const batch of store.subscribe({ after, signal: new AbortController().signal })) {
    events.push(...batch);
    if (batch.some((event) => event.position >= head)) break;
  }
  return events;
}
