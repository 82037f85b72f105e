import { setImmediate } from "node:timers/promises";
import { type EventStore, type LogMark, NOTHING_SEEN, type RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import type { SkippedEvents } from "@travel-booking/read-models/control";
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
    const run = new CatchUpRun(pending, target, options);
    try {
      await run.foldInBatches();
    } catch (error) {
      for (const fold of pending) fold.reset();
      if (!isFaultOfProjection(error)) throw error;
      // Each on its own past the place, so that only the one that failed there is folded event by event.
      for (const fold of pending) {
        const poison =
          pending.length === 1
            ? await findPoisonEvent(fold, target, options)
            : (await catchUp([fold], run.position, { ...options, onFolded: () => undefined })).get(fold);
        if (poison !== undefined) stopped.set(fold, poison);
      }
    }
  }
  return stopped;
}

class CatchUpRun {
  readonly #folds: readonly ProjectionFold[];
  readonly #target: bigint;
  readonly #options: CatchUpOptions;
  #position = 0n;

  constructor(folds: readonly ProjectionFold[], target: bigint, options: CatchUpOptions) {
    this.#folds = folds;
    this.#target = target;
    this.#options = options;
  }

  /** Of the last event read. */
  get position(): bigint {
    return this.#position;
  }

  /** A batch is written while the next is folded. */
  async foldInBatches(): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    let unwritten = 0;
    try {
      for await (const events of eventsAfter(lowestMark(this.#folds), this.#options)) {
        this.#position = events.at(-1)?.position ?? this.#position;
        for (const fold of this.#folds) await fold.fold(events);
        unwritten += events.length;
        if (this.#isFull(unwritten)) {
          unwritten = 0;
          const batches = this.#folds.map((fold) => fold.takeBatch());
          await writing;
          writing = this.#write(batches);
          writing.catch(() => undefined);
        }
        this.#options.onFolded?.(events);
        if (this.#position >= this.#target) break;
        await setImmediate();
      }
    } finally {
      await writing;
    }
  }

  #isFull(unwritten: number): boolean {
    if (unwritten >= MAX_UNWRITTEN_EVENTS || this.#position >= this.#target) return true;
    return this.#folds.reduce((sum, fold) => sum + fold.pendingDocuments, 0) >= MAX_PENDING_WRITES;
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    await this.#options.readStore.write(batches);
    for (const [index, batch] of batches.entries()) this.#folds[index]?.markWritten(batch);
  }
}

function lowestMark(folds: readonly ProjectionFold[]): LogMark {
  let lowest: LogMark | undefined;
  for (const { mark } of folds) if (lowest === undefined || mark.position < lowest.position) lowest = mark;
  return lowest ?? NOTHING_SEEN;
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
