import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { BoundedBackoff, type RealTime } from "@travel-booking/runtime/real-time";

/** Real time: for so long it is tried to find out, or bring about, the outcome of a step. */
export const GIVE_UP_AFTER_MS = 10_000;

export type RetryPermission = "now" | "later" | "never";

export interface RetriedAppend {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
  /** As in `EventStore.append`; not called when the append is repeated. */
  readonly onOrdered?: (result: AppendResult) => void;
  /** Asked before every retry; `never` leaves the outcome unknown. */
  readonly mayRetry?: () => RetryPermission;
  /** An earlier append of the same events may have stored them. */
  readonly mayBeStored?: boolean;
}

/** The result of an append. `contended`: another writer may have appended behind it, so the caller's fold is out of date. */
type AppendOutcome = AppendResult & { readonly contended?: true };

/**
 * Appends, and repeats an append of unknown outcome unchanged until its outcome is known.
 * @throws WrongExpectedRevision the stream has another revision and does not hold these events.
 * @throws EventStoreUnavailable not attempted, or the outcome is still unknown.
 */
export function appendWithRetry(store: EventStore, time: RealTime, append: RetriedAppend): Promise<AppendOutcome> {
  if (append.mayBeStored === true) return repeatAppend(store, new BoundedBackoff(time, GIVE_UP_AFTER_MS), append);
  return store
    .append(append.stream, append.expectedRevision, append.events, append.onOrdered)
    .catch((error) => retryUnknown(store, new BoundedBackoff(time, GIVE_UP_AFTER_MS), append, error));
}

/** Repeats an append that may be stored already. */
async function repeatAppend(store: EventStore, backoff: BoundedBackoff, append: RetriedAppend): Promise<AppendOutcome> {
  const { stream, expectedRevision, events } = append;
  try {
    return { ...(await store.append(stream, expectedRevision, events)), contended: true };
  } catch (error) {
    if (error instanceof WrongExpectedRevision) {
      const found = await findAppended(store, stream, expectedRevision, events).catch((failure: unknown) => {
        throw failure instanceof EventStoreUnavailable ? unknownOutcome(failure) : failure;
      });
      if (found !== undefined) return { ...found, contended: true };
      throw error;
    }
    if (error instanceof EventStoreUnavailable) return retryUnknown(store, backoff, append, unknownOutcome(error));
    throw error;
  }
}

/** Repeats the append after a pause, if `error` left its outcome unknown. */
async function retryUnknown(
  store: EventStore,
  backoff: BoundedBackoff,
  append: RetriedAppend,
  error: unknown,
): Promise<AppendOutcome> {
  if (!(error instanceof EventStoreUnavailable && error.outcomeUnknown)) throw error;
  for (;;) {
    if (!(await backoff.pause())) throw error;
    const permission = append.mayRetry?.() ?? "now";
    if (permission === "never") throw error;
    if (permission === "now") return repeatAppend(store, backoff, append);
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
