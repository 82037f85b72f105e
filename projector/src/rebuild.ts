import { type EventStore, NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import type { RebuildProgress, RebuildResult, SkippedEvents } from "@travel-booking/read-models/control";
import { catchUpAndJoin } from "./catch-up.ts";
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
  const { eventStore, readStore, group } = options;
  const started = performance.now();
  const building = new Set<ProjectionFold>();
  const drop = (fold: ProjectionFold) => readStore.drop(fold.generation, options.signal);
  const poisons = new Map<string, PoisonEvent>();
  try {
    for (const projection of projections) {
      const generation = await createNextGeneration(readStore, projection);
      building.add(new ProjectionFold(readStore, projection, generation, NOTHING_SEEN));
    }
    const progress = new ProgressReporter(options, await eventStore.head(), started);
    await catchUpAndJoin([...building], group, {
      ...options,
      onFolded: (events) => progress.folded(events.length, events.at(-1)?.position ?? 0n),
      async onPoison(fold, poison) {
        poisons.set(fold.projection.name, poison);
        building.delete(fold);
        await drop(fold);
      },
      async mayJoin(fold) {
        await readStore.switchLive(fold.generation);
        building.delete(fold);
        options.onSwitched(fold);
        return true;
      },
    });
    return { events: progress.events, seconds: secondsSince(started), poisons };
  } catch (error) {
    // If it is aborted, the next start drops them.
    for (const fold of building) await drop(fold);
    throw error;
  }
}

class ProgressReporter {
  readonly #onProgress: RebuildOptions["onProgress"];
  readonly #started: number;
  #events = 0;
  #head: bigint;
  #lastReportedAt = 0;

  constructor({ onProgress }: RebuildOptions, head: bigint, started: number) {
    this.#onProgress = onProgress;
    this.#started = started;
    this.#head = head;
    this.#report(0n);
  }

  get events(): number {
    return this.#events;
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
    this.#onProgress({
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
