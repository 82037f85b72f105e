import { type EventStore, NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { ProjectorRefusal, type RebuildProgress, type RebuildResult } from "@travel-booking/read-models/control";
import type { SealedDocuments } from "@travel-booking/read-models/sealed-words";
import type { BackgroundWork } from "./background-work.ts";
import { type CatchUpOptions, catchUpAndJoin } from "./catch-up.ts";
import { dropOlderGenerations } from "./generations.ts";
import type { LiveProjectionGroup } from "./live-projection-group.ts";
import { ProjectionFold } from "./projection-fold.ts";
import type { ProjectionState } from "./projection-state.ts";

interface RebuildOptions extends Omit<CatchUpOptions, "signal" | "onFolded" | "mayJoin"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly documents: SealedDocuments;
  /** Real time in which readers of a replaced generation can finish. */
  readonly graceMs: number;
  readonly group: LiveProjectionGroup;
  readonly background: BackgroundWork;
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Called when an event stops a projection that has no live generation to go on with. */
  readonly onPoison: CatchUpOptions["onPoison"];
}

/** Real time between progress reports. */
const REPORT_INTERVAL_MS = 200;

/**
 * Builds a new generation of each projection beside the live one, all from one reading of the log. Switches when they
 * have caught up, so that no reader sees an older state than before. Older generations stay until they are dropped.
 * @throws ProjectorRefusal a projection is already being rebuilt.
 * @throws AbortError
 */
export async function rebuild(
  states: readonly ProjectionState[],
  options: RebuildOptions,
): Promise<Pick<RebuildResult, "events" | "seconds">> {
  const { eventStore, readStore, documents, group, background, onProgress } = options;
  const { signal } = background;
  const busy = states.find(({ isRebuilding }) => isRebuilding);
  if (busy) throw new ProjectorRefusal("rebuild_under_way", `${busy.name} is being rebuilt already`);
  for (const state of states) {
    state.isRebuilding = true;
    state.rebuildFailedBy = undefined;
  }
  const started = performance.now();
  const secondsSinceStart = () => Math.round(performance.now() - started) / 1_000;
  const unfinished = new Set(states);
  const building = new Map<ProjectionFold, ProjectionState>();
  const finish = (fold: ProjectionFold): ProjectionState => {
    const state = building.get(fold);
    if (state === undefined) throw new Error(`${fold.projection.name} is not being rebuilt`);
    state.isRebuilding = false;
    building.delete(fold);
    unfinished.delete(state);
    return state;
  };
  try {
    for (const state of states) {
      const generation = await readStore.create(state.name, state.projection.version);
      building.set(new ProjectionFold(documents, state.projection, generation, NOTHING_SEEN), state);
    }
    let events = 0;
    let counted = 0n;
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
    await catchUpAndJoin([...building.keys()], group, {
      ...options,
      signal,
      onFolded(folded) {
        const { position = 0n } = folded.at(-1) ?? {};
        events += folded.filter((event) => event.position > counted).length;
        if (position > counted) counted = position;
        if (position > head) head = position;
        if (performance.now() - reportedAt >= REPORT_INTERVAL_MS || position === head) report(position);
      },
      async onPoison(fold, poison) {
        // Only the new generation is dropped. The live one stays.
        await readStore.drop(fold.generation, signal);
        const state = finish(fold);
        state.rebuildFailedBy = poison;
        if (state.fold === undefined) await options.onPoison(fold, poison);
      },
      async mayJoin(fold) {
        await readStore.switchLive(fold.generation);
        const state = finish(fold);
        state.fold = fold;
        state.stoppedBy = undefined;
        background.track(dropOlderGenerations(readStore, fold.generation, options.graceMs, signal));
        return true;
      },
    });
    return { events, seconds: secondsSinceStart() };
  } finally {
    try {
      // These generations were not finished. If dropping is aborted, the next start drops them.
      for (const { generation } of building.keys()) await readStore.drop(generation, signal);
    } finally {
      for (const state of unfinished) state.isRebuilding = false;
    }
  }
}
