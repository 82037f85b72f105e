import { setTimeout } from "node:timers/promises";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import { Backoff, type BackoffOptions, Mutex } from "@travel-booking/runtime/real-time";
import { foldOneByOne, isFaultOfProjection, type PoisonEvent, type ProjectionFold } from "./projection-fold.ts";

/** At most so many events are folded before they are written. */
const MAX_BATCH = 10_000;

interface LiveProjectionGroupOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly backOff: BackoffOptions;
  /** Everything the fold has reached can be read. */
  readonly onAdvance: (fold: ProjectionFold) => void;
  readonly isSkipped: (fold: ProjectionFold, poison: PoisonEvent) => boolean;
  /** It has left the group. */
  readonly onPoison: (fold: ProjectionFold, poison: PoisonEvent) => void;
  /** An engine failed; false ends the group for good. */
  readonly onFailure: (error: unknown) => boolean;
}

/** The live projections: one subscription feeds them all, and one write per batch stores what they make of it. */
export class LiveProjectionGroup {
  readonly #options: LiveProjectionGroupOptions;
  readonly #members = new Map<string, ProjectionFold>();
  readonly #exclusive = new Mutex();
  #position: bigint;

  constructor(options: LiveProjectionGroupOptions, position: bigint) {
    this.#options = options;
    this.#position = position;
  }

  /** Every member has seen the events up to here. */
  get position(): bigint {
    return this.#position;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Takes part, in the place of the generation that did. Inside `exclusively`, when it has reached `position`. */
  join(fold: ProjectionFold): void {
    this.#members.set(fold.projection.name, fold);
    this.#options.onAdvance(fold);
  }

  /** Runs between two batches: no member moves meanwhile. */
  runBetweenBatches<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#exclusive.runExclusive(work);
  }

  /** Ends when the signal aborts, or an engine failed for good. */
  async run(signal: AbortSignal): Promise<void> {
    const backOff = new Backoff(this.#options.backOff);
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (hasFailed) await this.#exclusive.runExclusive(() => this.#reloadCheckpoints());
        hasFailed = false;
        const batches = this.#options.eventStore.subscribe({ after: this.#position, signal, maxBatch: MAX_BATCH });
        for await (const events of batches) {
          const started = performance.now();
          await this.#exclusive.runExclusive(() => this.#processBatch(events));
          backOff.reset();
          // A full batch says that there is more waiting already.
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
    const taken: { readonly fold: ProjectionFold; readonly batch: Batch }[] = [];
    const suspects: ProjectionFold[] = [];
    for (const fold of this.#members.values()) {
      try {
        await fold.fold(events);
        taken.push({ fold, batch: fold.takeBatch() });
      } catch (error) {
        if (!isFaultOfProjection(error)) throw error;
        suspects.push(fold);
      }
    }
    try {
      await this.#options.readStore.write(taken.map(({ batch }) => batch));
      for (const { fold, batch } of taken) fold.markWritten(batch);
    } catch (error) {
      if (!isFaultOfProjection(error)) throw error;
      suspects.push(...taken.map(({ fold }) => fold));
    }
    for (const fold of suspects) await this.#findPoison(fold, events);
    for (const fold of this.#members.values()) this.#options.onAdvance(fold);
    this.#position = events.at(-1)?.position ?? this.#position;
  }

  async #findPoison(fold: ProjectionFold, events: readonly RecordedEvent[]): Promise<void> {
    const { readStore, isSkipped, onAdvance, onPoison } = this.#options;
    const poison = await foldOneByOne(readStore, fold, events, (found) => isSkipped(fold, found));
    if (poison === undefined) return;
    this.#members.delete(fold.projection.name);
    onAdvance(fold);
    onPoison(fold, poison);
  }

  /** A write that failed may be stored all the same, or have been finished by another process. */
  async #reloadCheckpoints(): Promise<void> {
    for (const fold of this.#members.values()) {
      await fold.reloadCheckpoint();
      this.#options.onAdvance(fold);
      if (fold.checkpoint < this.#position) this.#position = fold.checkpoint;
    }
  }
}

/** How long to rest for a millisecond of work. */
const PAUSE_PER_WORK_MS = 2;
/** Real milliseconds: what a reader may have to wait longer because of it. */
const MAX_PAUSE_MS = 25;

/**
 * A pause after a batch that took so many milliseconds. Under load it lets more events come together: a document that
 * many of them touch is then made and written once, and processors and disk are left to the requests. A single event
 * after a quiet moment is folded at once, because the pause comes behind the work.
 */
async function pauseAfterBatch(workedMs: number, signal: AbortSignal): Promise<void> {
  const pause = Math.min(PAUSE_PER_WORK_MS * workedMs, MAX_PAUSE_MS);
  await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
}
