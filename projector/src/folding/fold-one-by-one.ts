import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { isFaultOfProjection } from "./projection-fault.ts";
import type { ProjectionFold } from "./projection-fold.ts";

/** An event a projection can't handle. */
export interface PoisonEvent {
  readonly event: RecordedEvent;
  readonly error: Error;
}

/**
 * Folds and writes one event after the other, to find the one that is at fault. Answers it, with everything before
 * it written; undefined where there is none. `isSkipped` events are left out.
 */
export async function foldOneByOne(
  store: Pick<ReadStore, "write">,
  fold: ProjectionFold,
  events: readonly RecordedEvent[],
  isSkipped: (poison: PoisonEvent) => boolean,
): Promise<PoisonEvent | undefined> {
  fold.reset();
  for (const event of events) {
    if (event.position <= fold.checkpoint) continue;
    try {
      await fold.fold([event]);
      const batch = fold.takeBatch();
      await store.write([batch]);
      fold.markWritten(batch);
    } catch (error) {
      if (!(error instanceof Error) || !isFaultOfProjection(error)) throw error;
      fold.reset();
      const poison = { event, error };
      if (!isSkipped(poison)) return poison;
      await skipEvent(store, fold, event);
    }
  }
  return undefined;
}

async function skipEvent(store: Pick<ReadStore, "write">, fold: ProjectionFold, event: RecordedEvent): Promise<void> {
  const batch = { ...fold.generation, writes: [], checkpoint: event.position };
  await store.write([batch]);
  fold.markWritten(batch);
}
