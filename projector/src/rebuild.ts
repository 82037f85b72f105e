import { type EventStore, NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import type { RebuildProgress, RebuildResult } from "@travel-booking/read-models/control";
import { type CatchUpOptions, catchUpAndJoin } from "./catch-up.ts";
import { createNextGeneration } from "./generations.ts";
import type { LiveProjectionGroup } from "./live-projection-group.ts";
import type { Projection } from "./projection.ts";
import { ProjectionFold } from "./projection-fold.ts";

interface RebuildOptions extends Omit<CatchUpOptions, "onFolded" | "mayJoin"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly group: LiveProjectionGroup;
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Called when a new generation is live, before it joins the group. */
  readonly onSwitched: (fold: ProjectionFold) => void;
}

export type Rebuilt = Pick<RebuildResult, "events" | "seconds">;

/** Real time between progress reports. */
const REPORT_INTERVAL_MS = 200;

/**
 * Builds a new generation of each projection beside the live one, all from one reading of the log, and switches to them
 * once they have caught up, so no reader sees an older state than before. Older generations stay until they are dropped.
 * @throws AbortError
 */
export async function rebuild(projections: readonly Projection[], options: RebuildOptions): Promise<Rebuilt> {
  const { eventStore, readStore, group, onProgress } = options;
  const started = performance.now();
  const secondsSinceStart = () => (performance.now() - started) / 1_000;
  const building = new Set<ProjectionFold>();
  const drop = (fold: ProjectionFold) => readStore.drop(fold.generation, options.signal);
  try {
    for (const projection of projections) {
      const generation = await createNextGeneration(readStore, projection);
      building.add(new ProjectionFold(readStore, projection, generation, NOTHING_SEEN));
    }
    let events = 0;
    let head = await eventStore.head();
    let reportedAt = 0;
    const report = (position: bigint) => {
      reportedAt = performance.now();
      const seconds = secondsSinceStart();
      const share = Number(position) / Number(head);
      onProgress({
        position: Number(position),
        head: Number(head),
        rate: Math.round(events / seconds),
        secondsLeft: share > 0 ? (seconds * (1 - share)) / share : null,
      });
    };
    report(0n);
    await catchUpAndJoin([...building], group, {
      ...options,
      onFolded(folded) {
        const { position = 0n } = folded.at(-1) ?? {};
        events += folded.length;
        if (position > head) head = position;
        if (performance.now() - reportedAt >= REPORT_INTERVAL_MS || position === head) report(position);
      },
      async onPoison(fold, poison) {
        building.delete(fold);
        // Its new generation: the live one stays.
        await drop(fold);
        await options.onPoison(fold, poison);
      },
      async mayJoin(fold) {
        await readStore.switchLive(fold.generation);
        building.delete(fold);
        options.onSwitched(fold);
        return true;
      },
    });
    return { events, seconds: secondsSinceStart() };
  } catch (error) {
    // If it is aborted, the next start drops them.
    for (const fold of building) await drop(fold);
    throw error;
  }
}
