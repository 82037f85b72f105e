import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { BoundedBackoff, type RealTime } from "@travel-booking/runtime/real-time";

/** Real time. */
const GIVE_UP_AFTER_MS = 10_000;

export interface RetriedAppend {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
  /** Called before every retry: false leaves the outcome unknown. */
  readonly shouldRetry?: () => boolean;
  /** An earlier append of the same events may have stored them. */
  readonly mayBeStored?: boolean;
}

/**
 * Appends, and repeats an append of unknown outcome unchanged until its outcome is known. `uncontended` is false where
 * another writer may have appended behind it: the caller's fold is then out of date.
 * @throws WrongExpectedRevision the stream has another revision and does not hold these events.
 * @throws EventStoreUnavailable not attempted, or the outcome is still unknown.
 */
export async function appendWithRetry(
  store: EventStore,
  time: RealTime,
  { stream, expectedRevision, events, shouldRetry = () => true, mayBeStored = false }: RetriedAppend,
): Promise<AppendResult & { readonly uncontended: boolean }> {
  const backoff = new BoundedBackoff(time, GIVE_UP_AFTER_MS);
  for (let unknown = mayBeStored; ; unknown = true) {
    try {
      return { ...(await store.append(stream, expectedRevision, events)), uncontended: !unknown };
    } catch (error) {
      if (unknown && error instanceof WrongExpectedRevision) {
        const found = await findAppended(store, stream, expectedRevision, events);
        if (found !== undefined) return { ...found, uncontended: false };
      }
      const ambiguous = error instanceof EventStoreUnavailable && (error.outcomeUnknown || unknown);
      if (!ambiguous) throw error;
      if (!(await backoff.pause()) || !shouldRetry()) throw unknownOutcome(error);
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
