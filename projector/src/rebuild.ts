import { type EventStore, NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import type { RebuildProgress, RebuildResult, SkippedEvents } from "@travel-booking/read-models/control";
import { catchUp } from "./catch-up.ts";
import { createNextGeneration } from "./generations.ts";
import type { LiveProjectionGroup } from "./live-projection-group.ts";
import type { Projection } from "./projection.ts";
import { type PoisonEvent, ProjectionFold } from "./projection-fold.ts";

interface RebuildOptions {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly group: LiveProjectionGroup;
  readonly signal: AbortSignal;
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Called when a new generation is live, before it joins the group. */
  readonly onSwitched: (fold: ProjectionFold) => void;
}

export interface Rebuilt extends Pick<RebuildResult, "events" | "seconds"> {
  /** By name of the projection: what stopped it; its new generation has been dropped. */
  readonly poisons: ReadonlyMap<string, PoisonEvent>;
}

/** Real time between progress reports. */
const REPORT_INTERVAL_MS = 200;

/**
 * Builds a new generation of each projection beside the live one, all from one reading of the log, and switches to them
 * once they have caught up, so no reader sees an older state than before. Older generations stay until they are dropped.
 * @throws AbortError
 */
export async function rebuild(projections: readonly Projection[], options: RebuildOptions): Promise<Rebuilt> {
  const { readStore, group } = options;
  const started = performance.now();
  let folds: readonly ProjectionFold[] = await newGenerations(projections, readStore);
  const poisons = new Map<string, PoisonEvent>();
  const progress = new ProgressReporter(options, started);
  const reach = async (target: bigint) => {
    const stopped = await catchUp(folds, target, {
      ...options,
      onFolded: (events) => progress.folded(events.length, events.at(-1)?.position ?? 0n),
    });
    folds = folds.filter((fold) => !stopped.has(fold));
    for (const [fold, poison] of stopped) {
      poisons.set(fold.projection.name, poison);
      await readStore.drop(fold.generation, options.signal);
    }
  };
  try {
    await progress.start();
    // A short second run handles what was appended during the long first one; the last events are folded while the
    // live group waits.
    await reach(await options.eventStore.head());
    await reach(group.position);
    await group.runBetweenBatches(async () => {
      await reach(group.position);
      for (const fold of [...folds]) {
        await readStore.switchLive(fold.generation);
        folds = folds.filter((other) => other !== fold);
        options.onSwitched(fold);
        group.join(fold);
      }
    });
  } catch (error) {
    // If it is aborted, the next start drops them.
    for (const fold of folds) await readStore.drop(fold.generation, options.signal);
    throw error;
  }
  return { events: progress.events, seconds: secondsSince(started), poisons };
}

async function newGenerations(
  projections: readonly Projection[],
  readStore: ReadStore,
): Promise<readonly ProjectionFold[]> {
  const folds: ProjectionFold[] = [];
  for (const projection of projections) {
    folds.push(
      new ProjectionFold(readStore, projection, await createNextGeneration(readStore, projection), NOTHING_SEEN),
    );
  }
  return folds;
}

class ProgressReporter {
  readonly #options: RebuildOptions;
  readonly #started: number;
  #events = 0;
  #head = 0n;
  #lastReportedAt = 0;

  constructor(options: RebuildOptions, started: number) {
    this.#options = options;
    this.#started = started;
  }

  get events(): number {
    return this.#events;
  }

  async start(): Promise<void> {
    this.#head = await this.#options.eventStore.head();
    this.#report(0n);
  }

  folded(events: number, position: bigint): void {
    this.#events += events;
    if (position > this.#head) this.#head = position;
    if (performance.now() - this.#lastReportedAt >= REPORT_INTERVAL_MS || position === this.#head)
      this.#report(position);
  }

  #report(position: bigint): void {
    this.#lastReportedAt = performance.now();
    const seconds = secondsSince(this.#started);
    const share = Number(position) / Number(this.#head);
    this.#options.onProgress({
      position: Number(position),
      head: Number(this.#head),
      rate: Math.round(this.#events / seconds),
      secondsLeft: share > 0 ? (seconds * (1 - share)) / share : null,
    });
  }
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1_000;
}
