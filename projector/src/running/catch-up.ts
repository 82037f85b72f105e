import { setImmediate } from "node:timers/promises";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import { isFaultOfProjection } from "../folding/fault.ts";
import { foldCarefully, type Poison } from "../folding/fold-carefully.ts";
import type { ProjectionFold } from "../folding/projection-fold.ts";

/** Events read at once. */
const MAX_BATCH = 10_000;
/**
 * Documents written in one transaction. Their keys lie all over the tree, so the more there are, the more share a
 * page: 10,000 cost twice as much each.
 */
const WRITES = 50_000;
/** Events folded before they are written, however few documents they concern. */
const EVENTS = 250_000;

export interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly signal: AbortSignal;
  readonly isSkipped: (poison: Poison) => boolean;
  /** After each batch of events. */
  readonly folded?: (events: readonly RecordedEvent[]) => void;
}

/**
 * Brings a fold to `target`, or beyond, from a subscription of its own. Answers the poison event it met, if any.
 * @throws AbortError
 */
export async function catchUp(
  fold: ProjectionFold,
  target: bigint,
  options: CatchUpOptions,
): Promise<Poison | undefined> {
  while (fold.checkpoint < target) {
    options.signal.throwIfAborted();
    try {
      await foldQuickly(fold, target, options);
    } catch (error) {
      fold.reset();
      if (!isFaultOfProjection(error)) throw error;
      const poison = await findPoison(fold, target, options);
      if (poison !== undefined) return poison;
    }
  }
  return undefined;
}

async function foldQuickly(fold: ProjectionFold, target: bigint, options: CatchUpOptions): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let unwritten = 0;
  const write = async (batch: Batch) => {
    await options.readStore.write([batch]);
    fold.written(batch);
  };
  try {
    for await (const events of eventsAfter(fold.checkpoint, options)) {
      await fold.fold(events);
      unwritten += events.length;
      if (fold.pending >= WRITES || unwritten >= EVENTS || fold.folded >= target) {
        unwritten = 0;
        const batch = fold.take();
        await writing;
        writing = write(batch);
        writing.catch(() => undefined);
      }
      options.folded?.(events);
      if (fold.folded >= target) break;
      await setImmediate();
    }
  } finally {
    await writing;
  }
}

async function findPoison(fold: ProjectionFold, target: bigint, options: CatchUpOptions): Promise<Poison | undefined> {
  let skipped = false;
  for await (const events of eventsAfter(fold.checkpoint, options)) {
    const poison = await foldCarefully(options.readStore, fold, events, (found) => {
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
