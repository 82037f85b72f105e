import type { EventStore, LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import { backgroundPause, Mutex } from "@travel-booking/runtime/real-time";
import type { BackgroundWork } from "./background-work.ts";
import { type FoldOptions, foldTogether } from "./fold-together.ts";
import type { ProjectionFold } from "./projection-fold.ts";

/** At most so many events are folded before a write. */
const MAX_BATCH = 4_000;
/** Pause per millisecond of work. */
const PAUSE_PER_WORK_MS = 2;
/** Real milliseconds that a reader may have to wait longer. */
const MAX_PAUSE_MS = 25;

interface LiveProjectionGroupOptions extends FoldOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly words: Pick<SealedWords, "openBatches">;
  /** Called when checkpoints may have advanced. */
  readonly onAdvance: () => void;
}

/** The live projections: one subscription feeds them all, and one write per batch stores their changes. */
export class LiveProjectionGroup {
  readonly #options: LiveProjectionGroupOptions;
  readonly #members = new Set<ProjectionFold>();
  readonly #mutex = new Mutex();
  #mark: LogMark;

  constructor(options: LiveProjectionGroupOptions, mark: LogMark) {
    this.#options = options;
    this.#mark = mark;
  }

  /** All members have folded the events up to this position. */
  get position(): bigint {
    return this.#mark.position;
  }

  has(fold: ProjectionFold): boolean {
    return this.#members.has(fold);
  }

  /** Adds a fold that has reached `position`, or replaces an older generation. Call it inside `runBetweenBatches`. */
  join(fold: ProjectionFold): void {
    for (const one of this.#members) if (one.projection === fold.projection) this.#members.delete(one);
    this.#members.add(fold);
    this.#options.onAdvance();
  }

  /** Runs work between two batches, so that members do not move meanwhile. */
  runBetweenBatches<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.runExclusive(work);
  }

  /** Follows the log until the background work ends. */
  run(background: BackgroundWork): Promise<void> {
    const { signal } = background;
    const { eventStore, words } = this.#options;
    return background.retryUntilDone(null, async (backOff) => {
      await this.runBetweenBatches(() => this.#reloadCheckpoints());
      const { position: after, id: afterEvent } = this.#mark;
      const batches = eventStore.subscribe({ after, afterEvent, signal, maxBatch: MAX_BATCH });
      for await (const events of words.openBatches(batches)) {
        const started = performance.now();
        await this.runBetweenBatches(() => this.#processBatch(events));
        backOff.reset();
        // After a full batch there is more to read.
        if (events.length === MAX_BATCH) continue;
        // Under load, the pause makes batches grow. So a document that many events change is written once, and requests
        // get processor and disk. A single event is folded at once, because the pause comes after the work.
        const pause = PAUSE_PER_WORK_MS * (performance.now() - started);
        await backgroundPause(Math.min(pause, MAX_PAUSE_MS), signal);
      }
    });
  }

  async #processBatch(events: readonly RecordedEvent[]): Promise<void> {
    await foldTogether(this.#members, events, this.#options);
    this.#options.onAdvance();
    this.#mark = events.at(-1) ?? this.#mark;
  }

  /** Reloads checkpoints, because a failed write may be stored nevertheless, or repeated by another process. */
  async #reloadCheckpoints(): Promise<void> {
    for (const fold of this.#members) {
      await fold.reloadCheckpoint();
      if (fold.checkpoint.position < this.position) this.#mark = fold.checkpoint;
    }
    this.#options.onAdvance();
  }
}
