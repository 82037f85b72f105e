import type { EventStore } from "@travel-booking/engines/event-store";
import type { SealedWords } from "./sealed-words/index.ts";

type Log = Pick<EventStore, "subscribe" | "head" | "eventIdAt">;

/** A log with open words, for the projector. */
export function openedLog(log: Log, words: Pick<SealedWords, "openEvents">): Log {
  return {
    head: () => log.head(),
    eventIdAt: (position) => log.eventIdAt(position),
    async *subscribe(options) {
      for await (const batch of log.subscribe(options)) yield await words.openEvents(batch);
    },
  };
}
