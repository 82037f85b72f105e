import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import type { RealTime } from "@travel-booking/runtime/real-time";

/** How long an append of unknown outcome is repeated before its command gives up; real time. */
const GIVE_UP_AFTER_MS = 10_000;
const INITIAL_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;

/**
 * Appends, and where the outcome is unknown repeats the append unchanged until it is known. `alone` is false where
 * others wrote to the stream behind it: a fold of the caller's is then out of date. `goOn` is asked before every
 * repetition: false where it is better to leave the outcome unknown. `uncertain`: it may have been appended before.
 * @throws WrongExpectedRevision the stream is elsewhere and these events are not in it.
 * @throws EventStoreUnavailable not attempted, or still unknown after ten seconds, or given up.
 */
export async function appendWithRetry(
  store: EventStore,
  time: RealTime,
  stream: string,
  expectedRevision: number,
  events: readonly EventToAppend[],
  shouldRetry?: () => boolean,
  mayBeAppended = false,
): Promise<AppendResult & { readonly uncontended: boolean }> {
  const giveUpAt = time.now() + GIVE_UP_AFTER_MS;
  let unknown = mayBeAppended;
  for (let wait = INITIAL_BACKOFF_MS; ; wait = Math.min(2 * wait, MAX_BACKOFF_MS)) {
    try {
      return { ...(await store.append(stream, expectedRevision, events)), uncontended: !unknown };
    } catch (error) {
      if (unknown && error instanceof WrongExpectedRevision) {
        const found = await findAppended(store, stream, expectedRevision, events);
        if (found !== undefined) return { ...found, uncontended: false };
      }
      const ambiguous = error instanceof EventStoreUnavailable && (error.outcomeUnknown || unknown);
      if (!ambiguous) throw error;
      unknown = true;
      const enough = time.now() + wait > giveUpAt;
      if (!enough) await time.pause(wait);
      if (enough || shouldRetry?.() === false) throw unknownOutcome(error);
    }
  }
}

function unknownOutcome(error: EventStoreUnavailable): EventStoreUnavailable {
  return error.outcomeUnknown
    ? error
    : new EventStoreUnavailable(error.message, { outcomeUnknown: true, cause: error });
}

async function findAppended(
  store: EventStore,
  stream: string,
  expectedRevision: number,
  events: readonly EventToAppend[],
): Promise<AppendResult | undefined> {
  const stored = await store.readStream(stream, expectedRevision + 1);
  const last = events.at(-1);
  const found = stored.find((event) => event.id === last?.id);
  return found && { revision: found.revision, position: found.position };
}
