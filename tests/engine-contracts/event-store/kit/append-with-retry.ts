import { setTimeout as pause } from "node:timers/promises";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
} from "@travel-booking/engines/event-store";

const PAUSE_MS = 10;

/** Repeats an append, unchanged, until its outcome is known. Undefined: it was told to stop before. */
export async function appendWithRetry(
  store: EventStore,
  stream: string,
  expectedRevision: number,
  events: readonly EventToAppend[],
  isStopped = () => false,
): Promise<AppendResult | undefined> {
  for (;;) {
    try {
      return await store.append(stream, expectedRevision, events);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      if (isStopped()) return undefined;
      await pause(PAUSE_MS);
    }
  }
}
