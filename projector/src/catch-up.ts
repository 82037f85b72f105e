import { setImmediate } from "node:timers/promises";
import type { EventStore, LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import type { SkippedEvents } from "@travel-booking/read-models/control";
import type { LiveProjectionGroup } from "./live-projection-group.ts";
import { foldOneByOne, isFaultOfProjection, type PoisonEvent, type ProjectionFold } from "./projection-fold.ts";

/** Events read at once: few enough that most are garbage before the garbage collector would copy them. */
const MAX_EVENTS_READ = 500;
/** Documents written in one transaction: the more there are, the more share a page of the tree, and the more are held. */
const MAX_PENDING_WRITES = 4_000;
/** Events folded before a write, even if they change few documents. */
const MAX_UNWRITTEN_EVENTS = 20_000;

interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly signal: AbortSignal;
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  /** Called after each batch of events. */
  readonly onFolded?: (events: readonly RecordedEvent[]) => void;
}

/**
 * Brings folds to `target` or beyond: one subscription feeds them all. Returns the poison events that stopped some.
 * @throws AbortError
 */
export async function catchUp(
  folds: readonly ProjectionFold[],
  target: bigint,
  options: CatchUpOptions,
): Promise<ReadonlyMap<ProjectionFold, PoisonEvent>> {
  const stopped = new Map<ProjectionFold, PoisonEvent>();
  const behind = () => folds.filter((fold) => fold.checkpoint < target && !stopped.has(fold));
  for (let pending = behind(); pending.length > 0; pending = behind()) {
    options.signal.throwIfAborted();
    const read = { position: 0n };
    try {
      await foldInBatches(pending, target, options, read);
    } catch (error) {
      for (const fold of pending) fold.reset();
      if (!isFaultOfProjection(error)) throw error;
      // Each on its own past the place, so that only the one that failed there is folded event by event.
      for (const fold of pending) {
        const poison =
          pending.length === 1
            ? await findPoisonEvent(fold, target, options)
            : (await catchUp([fold], read.position, { ...options, onFolded: () => undefined })).get(fold);
        if (poison !== undefined) stopped.set(fold, poison);
      }
    }
  }
  return stopped;
}

interface JoinOptions extends CatchUpOptions {
  /** A fold will not join. */
  readonly onPoison: (fold: ProjectionFold, poison: PoisonEvent) => void | Promise<void>;
  /** A fold is where the group is; false: it is not to join. */
  readonly mayJoin: (fold: ProjectionFold) => boolean | Promise<boolean>;
}

/** Lets folds catch up with a live group and join it. @throws AbortError */
export async function catchUpAndJoin(
  folds: readonly ProjectionFold[],
  group: LiveProjectionGroup,
  options: JoinOptions,
): Promise<void> {
  let running = folds;
  const reachGroup = async () => {
    const stopped = await catchUp(running, group.position, options);
    running = running.filter((fold) => !stopped.has(fold));
    for (const [fold, poison] of stopped) await options.onPoison(fold, poison);
  };
  await reachGroup();
  // A short second run handles what was appended during a long first one; the last events are folded while the group waits.
  await reachGroup();
  await group.runBetweenBatches(async () => {
    await reachGroup();
    for (const fold of running) if (await options.mayJoin(fold)) group.join(fold);
  });
}

/** A batch is written while the next is folded. @param read of the last event read */
async function foldInBatches(
  folds: readonly ProjectionFold[],
  target: bigint,
  options: CatchUpOptions,
  read: { position: bigint },
): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let unwritten = 0;
  const isFull = () => {
    if (unwritten >= MAX_UNWRITTEN_EVENTS || read.position >= target) return true;
    return folds.reduce((sum, fold) => sum + fold.pendingDocuments, 0) >= MAX_PENDING_WRITES;
  };
  const write = async (batches: readonly Batch[]) => {
    await options.readStore.write(batches);
    for (const [index, batch] of batches.entries()) folds[index]?.markWritten(batch);
  };
  const lowest = folds.map(({ mark }) => mark).reduce((a, b) => (b.position < a.position ? b : a));
  try {
    for await (const events of eventsAfter(lowest, options)) {
      read.position = events.at(-1)?.position ?? read.position;
      for (const fold of folds) await fold.fold(events);
      unwritten += events.length;
      if (isFull()) {
        unwritten = 0;
        const batches = folds.map((fold) => fold.takeBatch());
        await writing;
        writing = write(batches);
        writing.catch(() => undefined);
      }
      options.onFolded?.(events);
      if (read.position >= target) break;
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
  for await (const events of eventsAfter(fold.mark, options)) {
    const poison = await foldOneByOne(options.readStore, fold, events, async ({ event }) => {
      skipped = await options.skippedEvents.has(fold.projection.name, event.id);
      return skipped;
    });
    if (poison !== undefined) return poison;
    if (skipped || fold.checkpoint >= target) break;
  }
  return undefined;
}

function eventsAfter(
  { position, id }: LogMark,
  { eventStore, signal }: CatchUpOptions,
): AsyncIterable<readonly RecordedEvent[]> {
  return eventStore.subscribe({ after: position, afterEvent: id, signal, maxBatch: MAX_EVENTS_READ });
}
