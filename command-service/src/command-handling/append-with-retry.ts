import {
  type AppendResult,
  EventStoreUnavailable,
  type EventToAppend,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { BoundedBackoff, type RealTime } from "@travel-booking/runtime/real-time";
import type { CommandStore } from "./sealed-event-store.ts";

/** Real time in which the service tries to find out, or bring about, the outcome of a step. */
export const GIVE_UP_AFTER_MS = 10_000;

export type RetryPermission = "now" | "later" | "never";

export interface RetriedAppend {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
  /** As in `EventStore.append`, but not called when the append is repeated. */
  readonly onOrdered?: (result: AppendResult) => void;
  /** Asked before every retry; `never` leaves the outcome unknown. */
  readonly mayRetry?: () => RetryPermission;
}

/** The result of an append. `contended`: another writer may have appended since, so the caller's fold is outdated. */
type AppendOutcome = Awaited<ReturnType<CommandStore["append"]>> & { readonly contended?: true };

/**
 * Appends events. While the outcome is unknown, repeats the same append.
 * @throws WrongExpectedRevision the stream has another revision and does not hold these events.
 * @throws EventStoreUnavailable not attempted, or the outcome is still unknown.
 */
export async function appendWithRetry(
  store: CommandStore,
  time: RealTime,
  append: RetriedAppend,
): Promise<AppendOutcome> {
  const { stream, expectedRevision, events, onOrdered, mayRetry } = append;
  let mayBeStored = false;
  let backoff: BoundedBackoff | undefined;
  for (;;) {
    try {
      if (!mayBeStored) return await store.append(stream, expectedRevision, events, onOrdered);
      return { ...(await appendOrFind(store, append)), contended: true };
    } catch (error) {
      const isUnknown = error instanceof EventStoreUnavailable && (mayBeStored || error.outcomeUnknown);
      if (!isUnknown) throw error;
      backoff ??= new BoundedBackoff(time, GIVE_UP_AFTER_MS);
      if (!(await isPermitted(backoff, mayRetry))) throw unknownOutcome(error);
      mayBeStored = true;
    }
  }
}

/** Resolves with true when the append may be repeated, with false when it no longer may. */
async function isPermitted(backoff: BoundedBackoff, mayRetry: RetriedAppend["mayRetry"]): Promise<boolean> {
  while (await backoff.pause()) {
    const permission = mayRetry?.() ?? "now";
    if (permission !== "later") return permission === "now";
  }
  return false;
}

function unknownOutcome(error: EventStoreUnavailable): EventStoreUnavailable {
  return error.outcomeUnknown
    ? error
    : new EventStoreUnavailable(error.message, { outcomeUnknown: true, cause: error });
}

/** Appends events that may already be stored. @throws WrongExpectedRevision they are not, and never will be. */
export async function appendOrFind(
  store: CommandStore,
  { stream, expectedRevision, events }: Pick<RetriedAppend, "stream" | "expectedRevision" | "events">,
): Promise<AppendResult> {
  try {
    return await store.append(stream, expectedRevision, events);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    const stored = await store.readStream(stream, expectedRevision + 1, events.length);
    const found = stored.find((event) => event.id === events.at(-1)?.id);
    if (found === undefined) throw error;
    return { revision: found.revision, position: found.position };
  }
}
