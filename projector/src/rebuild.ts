import type { EventStore } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import type { RebuildProgress, RebuildResult } from "@travel-booking/read-models/control";
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
  readonly isSkipped: (poison: PoisonEvent) => boolean;
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Called when the new generation is live, before it joins the group. */
  readonly onSwitched: (fold: ProjectionFold) => void;
}

/** Real time between progress reports. */
const REPORT_INTERVAL_MS = 200;

/**
 * Builds a new generation beside the live one, from the first event on, and switches to it once it has caught up, so no
 * reader sees an older state than before. Older generations stay until they are dropped.
 * @throws ProjectionFault a poison event; the new generation has been dropped.
 * @throws AbortError
 */
export async function rebuild(projection: Projection, options: RebuildOptions): Promise<RebuildResult> {
  const { readStore, group } = options;
  const started = performance.now();
  const generation = await createNextGeneration(readStore, projection);
  const fold = new ProjectionFold(readStore, projection, generation, 0n);
  const progress = new ProgressReporter(options, started);
  const reach = async (target: bigint) => {
    const poison = await catchUp(fold, target, {
      ...options,
      onFolded: (events) => progress.folded(events.length, fold.foldedPosition),
    });
    if (poison !== undefined) throw poison.error;
  };
  try {
    await progress.start();
    // A short second run handles what was appended during the long first one; the last events are folded while the
    // live group waits.
    await reach(await options.eventStore.head());
    await reach(group.position);
    await group.runBetweenBatches(async () => {
      await reach(group.position);
      await readStore.switchLive(generation);
      options.onSwitched(fold);
      group.join(fold);
    });
  } catch (error) {
    // If it is aborted, the next start drops it.
    await readStore.drop(generation, options.signal);
    throw error;
  }
  return { name: projection.name, events: progress.events, seconds: secondsSince(started) };
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
