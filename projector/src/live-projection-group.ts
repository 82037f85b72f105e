import { setTimeout } from "node:timers/promises";
import type { EventStore, LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import type { SkippedEvents } from "@travel-booking/read-models/control";
import { Backoff, type BackoffOptions, Mutex } from "@travel-booking/runtime/real-time";
import { foldOneByOne, isFaultOfProjection, type PoisonEvent, type ProjectionFold } from "./projection-fold.ts";

/** At most so many events are folded before a write. */
const MAX_BATCH = 4_000;

interface LiveProjectionGroupOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly backOff: BackoffOptions;
  /** Called when the checkpoint of a fold may have advanced. */
  readonly onAdvance: (fold: ProjectionFold) => void;
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  /** Called when a fold has left the group. */
  readonly onPoison: (fold: ProjectionFold, poison: PoisonEvent) => void;
  /** Called when an engine failed; false ends the group. */
  readonly onFailure: (error: unknown) => boolean;
}

/** The live projections: one subscription feeds them all, and one write per batch stores their changes. */
export class LiveProjectionGroup {
  readonly #options: LiveProjectionGroupOptions;
  readonly #members = new Map<string, ProjectionFold>();
  readonly #mutex = new Mutex();
  #mark: LogMark;

  constructor(options: LiveProjectionGroupOptions, mark: LogMark) {
    this.#options = options;
    this.#mark = mark;
  }

  /** All members have folded the events up to here. */
  get position(): bigint {
    return this.#mark.position;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Adds a fold that has reached `position`, or replaces an older generation. Call it inside `runBetweenBatches`. */
  join(fold: ProjectionFold): void {
    this.#members.set(fold.projection.name, fold);
    this.#options.onAdvance(fold);
  }

  /** Runs work between two batches: the members do not move meanwhile. */
  runBetweenBatches<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.runExclusive(work);
  }

  /** Ends when the signal aborts or `onFailure` says so. */
  async run(signal: AbortSignal): Promise<void> {
    const backOff = new Backoff(this.#options.backOff);
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (hasFailed) await this.#mutex.runExclusive(() => this.#reloadCheckpoints());
        hasFailed = false;
        const { position: after, id: afterEvent } = this.#mark;
        const batches = this.#options.eventStore.subscribe({ after, afterEvent, signal, maxBatch: MAX_BATCH });
        for await (const events of batches) {
          const started = performance.now();
          await this.#mutex.runExclusive(() => this.#processBatch(events));
          backOff.reset();
          // After a full batch there is more to read.
          if (events.length < MAX_BATCH) await pauseAfterBatch(performance.now() - started, signal);
        }
      } catch (error) {
        hasFailed = true;
        if (!this.#options.onFailure(error)) return;
        await backOff.pause(signal);
      }
    }
  }

  async #processBatch(events: readonly RecordedEvent[]): Promise<void> {
    const folded: { readonly fold: ProjectionFold; readonly batch: Batch }[] = [];
    const suspects: ProjectionFold[] = [];
    for (const fold of this.#members.values()) {
      try {
        await fold.fold(events);
        folded.push({ fold, batch: fold.takeBatch() });
      } catch (error) {
        if (!isFaultOfProjection(error)) throw error;
        suspects.push(fold);
      }
    }
    try {
      await this.#options.readStore.write(folded.map(({ batch }) => batch));
      for (const { fold, batch } of folded) fold.markWritten(batch);
    } catch (error) {
      if (!isFaultOfProjection(error)) throw error;
      suspects.push(...folded.map(({ fold }) => fold));
    }
    for (const fold of suspects) await this.#findPoison(fold, events);
    for (const fold of this.#members.values()) this.#options.onAdvance(fold);
    this.#mark = events.at(-1) ?? this.#mark;
  }

  async #findPoison(fold: ProjectionFold, events: readonly RecordedEvent[]): Promise<void> {
    const { readStore, skippedEvents, onAdvance, onPoison } = this.#options;
    const { name } = fold.projection;
    const poison = await foldOneByOne(readStore, fold, events, ({ event }) => skippedEvents.has(name, event.id));
    if (poison === undefined) return;
    this.#members.delete(name);
    onAdvance(fold);
    onPoison(fold, poison);
  }

  /** A failed write may be stored all the same, or another process may have repeated it. */
  async #reloadCheckpoints(): Promise<void> {
    for (const fold of this.#members.values()) {
      await fold.reloadCheckpoint();
      this.#options.onAdvance(fold);
      if (fold.checkpoint < this.position) this.#mark = fold.mark;
    }
  }
}

/** Pause per millisecond of work. */
const PAUSE_PER_WORK_MS = 2;
/** Real milliseconds: by so much a reader may have to wait longer. */
const MAX_PAUSE_MS = 25;

/**
 * Pauses after a batch. Under load batches grow by it: a document that many events change is written once, and processor
 * and disk are left to requests. A single event is folded at once, because the pause comes after the work.
 */
async function pauseAfterBatch(workedMs: number, signal: AbortSignal): Promise<void> {
  const pause = Math.min(PAUSE_PER_WORK_MS * workedMs, MAX_PAUSE_MS);
  await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
}
