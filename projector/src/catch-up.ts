import { setImmediate } from "node:timers/promises";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import { foldOneByOne, isFaultOfProjection, type PoisonEvent, type ProjectionFold } from "./projection-fold.ts";

/** Events read per batch. */
const MAX_BATCH = 10_000;
/**
 * Documents written in one transaction. The more there are, the more share a page of the tree: with 10,000 each costs
 * twice as much.
 */
const MAX_PENDING_WRITES = 50_000;
/** Events folded before a write, even if they change few documents. */
const MAX_UNWRITTEN_EVENTS = 250_000;

interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly signal: AbortSignal;
  readonly isSkipped: (poison: PoisonEvent) => boolean;
  /** Called after each batch of events. */
  readonly onFolded?: (events: readonly RecordedEvent[]) => void;
}

/**
 * Brings a fold to `target` or beyond with a subscription of its own. Returns the poison event that stopped it, if any.
 * @throws AbortError
 */
export async function catchUp(
  fold: ProjectionFold,
  target: bigint,
  options: CatchUpOptions,
): Promise<PoisonEvent | undefined> {
  while (fold.checkpoint < target) {
    options.signal.throwIfAborted();
    try {
      await foldInBatches(fold, target, options);
    } catch (error) {
      fold.reset();
      if (!isFaultOfProjection(error)) throw error;
      const poison = await findPoisonEvent(fold, target, options);
      if (poison !== undefined) return poison;
    }
  }
  return undefined;
}

async function foldInBatches(fold: ProjectionFold, target: bigint, options: CatchUpOptions): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let unwritten = 0;
  const write = async (batch: Batch) => {
    await options.readStore.write([batch]);
    fold.markWritten(batch);
  };
  try {
    for await (const events of eventsAfter(fold.checkpoint, options)) {
      await fold.fold(events);
      unwritten += events.length;
      if (
        fold.pendingDocuments >= MAX_PENDING_WRITES ||
        unwritten >= MAX_UNWRITTEN_EVENTS ||
        fold.foldedPosition >= target
      ) {
        unwritten = 0;
        const batch = fold.takeBatch();
        await writing;
        writing = write(batch);
        writing.catch(() => undefined);
      }
      options.onFolded?.(events);
      if (fold.foldedPosition >= target) break;
      await setImmediate();
    }
  } finally {
    await writing;
  }
}

async function findPoisonEvent(
  fold: ProjectionFold,
  target: bigint,
  options: CatchUpOptions,
): Promise<PoisonEvent | undefined> {
  let skipped = false;
  for await (const events of eventsAfter(fold.checkpoint, options)) {
    const poison = await foldOneByOne(options.readStore, fold, events, (found) => {
      skipped = options.isSkipped(found);
      return skipped;
    });
    if (poison !== undefined) return poison;
    if (skipped || fold.checkpoint >= target) break;
  }
  return undefined;
}

function eventsAfter(after: bigint, { eventStore, signal }: CatchUpOptions): AsyncIterable<readonly RecordedEvent[]> {
  return eventStore.subscribe({ after, signal, maxBatch: MAX_BATCH });
}
