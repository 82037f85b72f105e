import { setTimeout } from "node:timers/promises";
import { AnotherLog, assertSameLog, type EventStore, type LogMark } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
  type SkippedEvents,
} from "@travel-booking/read-models/control";
import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import { BackgroundWork } from "./background-work.ts";
import { catchUpAndJoin } from "./catch-up.ts";
import { GenerationCleanup, openGenerations } from "./generations.ts";
import { LiveProjectionGroup } from "./live-projection-group.ts";
import { LocalProgress } from "./local-progress.ts";
import type { Projection } from "./projection.ts";
import { type PoisonEvent, ProjectionFold } from "./projection-fold.ts";
import { ProjectionState, RebuildFailed } from "./projection-state.ts";
import { type Rebuilt, rebuild } from "./rebuild.ts";

export interface ProjectorOptions {
  readonly eventStore: Pick<EventStore, "subscribe" | "head" | "eventIdAt">;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  /** Asked about each event that a projection can't handle. */
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  /** Called once, when a store is damaged: the projector stands still then. */
  readonly onFatal: (error: unknown) => void;
  /**
   * Called once, when the log turns out to be another one, or is the right one again: start a new projector. While it is
   * another one, projections are stopped and can be rebuilt from it. Without this function `start` throws, and later it is
   * a matter for `onFatal`.
   */
  readonly onLogChanged?: () => void;
  /** For the log: a projection has stopped, or an engine failed and is retried. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
  /** Real time for readers of a replaced generation to finish; 10,000 ms by default. */
  readonly graceMs?: number;
  /**
   * Other processes, perhaps of another release, run projections on the same read store: a projection whose live
   * generation was built by a newer version is left alone, and so is what a newer version is building.
   */
  readonly shared?: boolean;
  /** Real time between retries of a failed engine; 100 ms growing to 5,000 ms by default. */
  readonly backOff?: BackoffOptions;
}

const GRACE_MS = 10_000;
/** Real time between two looks whether the right log is back. */
const LOOK_AGAIN_MS = 500;
const BACK_OFF: BackoffOptions = { initialMs: 100, maxMs: 5_000 };

/** Keeps all projections up to date with the log. */
export class Projector implements ProjectorControl {
  readonly progress = new LocalProgress();
  readonly #options: ProjectorOptions;
  readonly #backOff: BackoffOptions;
  readonly #states: ReadonlyMap<string, ProjectionState>;
  readonly #background: BackgroundWork;
  readonly #cleanup: GenerationCleanup;
  #group: LiveProjectionGroup | undefined;

  constructor(options: ProjectorOptions) {
    const { projections, readStore, backOff = BACK_OFF, graceMs = GRACE_MS, onFatal, onLogChanged } = options;
    this.#options = options;
    this.#backOff = backOff;
    this.#states = new Map(projections.map((one) => [one.name, new ProjectionState(one)]));
    this.#background = new BackgroundWork({
      ...options,
      backOff,
      onFatal: (error) => (error instanceof AnotherLog && onLogChanged ? onLogChanged() : onFatal(error)),
    });
    this.#cleanup = new GenerationCleanup(readStore, this.#background, graceMs);
  }

  /**
   * Resolves when every position is known and the live generations are kept up to date, from their checkpoints on. A
   * projection whose live generation is of another version is built in the background; nobody reads it meanwhile.
   * @throws AnotherLog a live generation was made from another log, and there is no `onLogChanged`.
   * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
   */
  async start(): Promise<void> {
    const states = [...this.#states.values()];
    for (const state of states) await this.#open(state);
    const marks = states.flatMap(({ fold }) => (fold === undefined ? [] : [fold.mark]));
    const highest = marks.reduce<LogMark | undefined>((a, b) => (a && a.position >= b.position ? a : b), undefined);
    const group = this.#newGroup(highest ?? { position: await this.#options.eventStore.head(), id: null });
    this.#group = group;
    const behind: ProjectionState[] = [];
    for (const state of states) {
      if (state.fold?.checkpoint === group.position) group.join(state.fold);
      else behind.push(state);
    }
    for (const together of [behind.filter(({ fold }) => fold), behind.filter(({ fold }) => fold === undefined)]) {
      if (together.length > 0) this.#background.track(this.#bringUpToDate(together, group));
    }
    this.#background.track(group.run(this.#background.signal));
    if (this.anotherLog !== undefined) this.#background.track(this.#lookForRightLog());
  }

  /** Set while the log is not the one that a projection was made from. */
  get anotherLog(): AnotherLog | undefined {
    return this.#stoppedByAnotherLog()[0];
  }

  /** Finishes the current batch. A rebuild is given up; that of a new version begins again at the next start. */
  async stop(): Promise<void> {
    await this.#background.stop();
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    const head = await this.#options.eventStore.head();
    return [...this.#states.values()].map((state) => state.status(this.progress.positionOf(state.name), head));
  }

  async rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    const state = this.#stateNamed(name);
    const { events, seconds, poisons } = await this.#rebuild([state], this.#startedGroup(), onProgress);
    const poison = poisons.get(name);
    if (poison !== undefined) throw state.stoppedBy === undefined ? new RebuildFailed(poison) : poison.error;
    return { name, events, seconds };
  }

  async retry(name: string): Promise<ProjectionStatus> {
    const state = this.#stateNamed(name);
    if (state.stoppedBy === undefined) throw new ProjectorRefusal("not_stopped", `${name} is not stopped`);
    if (state.stoppedBy.error instanceof AnotherLog) throw state.stoppedBy.error;
    const group = this.#startedGroup();
    state.stoppedBy = undefined;
    await this.#bringUpToDate([state], group);
    return state.status(this.progress.positionOf(name), await this.#options.eventStore.head());
  }

  async #open(state: ProjectionState): Promise<void> {
    const { readStore, shared = false } = this.#options;
    const { live, isCurrent, obsolete } = await openGenerations(readStore, state.projection, shared);
    this.#cleanup.dropNow(obsolete);
    const checkpoint = await readStore.checkpoint(live);
    if (isCurrent && !(await this.#isFromThisLog(state, checkpoint))) return;
    // What another version has built is not read: nothing of it can be seen.
    this.progress.advance(state.name, isCurrent ? checkpoint.position : 0n);
    if (isCurrent) state.fold = new ProjectionFold(readStore, state.projection, live, checkpoint);
  }

  /** Stops the projection if it was made from another log. */
  async #isFromThisLog(state: ProjectionState, checkpoint: LogMark): Promise<boolean> {
    const { eventStore, onLogChanged, onProblem } = this.#options;
    try {
      await assertSameLog(eventStore, [checkpoint]);
      return true;
    } catch (error) {
      if (!(error instanceof AnotherLog) || onLogChanged === undefined) throw error;
      state.stoppedBy = { error };
      onProblem({ projection: null, error });
      return false;
    }
  }

  /** Until every projection that another log has stopped is rebuilt, or the right log is back. */
  async #lookForRightLog(): Promise<void> {
    const { signal } = this.#background;
    while (this.anotherLog !== undefined) {
      await setTimeout(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const lacked = this.#stoppedByAnotherLog().map(({ mark }) => mark);
      const isBack = await assertSameLog(this.#options.eventStore, lacked).then(
        () => lacked.length > 0,
        () => false,
      );
      if (isBack) return this.#options.onLogChanged?.();
    }
  }

  #stoppedByAnotherLog(): readonly AnotherLog[] {
    const errors = [...this.#states.values()].map(({ stoppedBy }) => stoppedBy?.error);
    return errors.filter((error) => error instanceof AnotherLog);
  }

  #newGroup(mark: LogMark): LiveProjectionGroup {
    const { eventStore, readStore, skippedEvents } = this.#options;
    return new LiveProjectionGroup(
      {
        eventStore,
        readStore,
        skippedEvents,
        backOff: this.#backOff,
        onAdvance: (fold) => this.#showProgress(fold),
        onPoison: (fold, poison) => this.#markStopped(this.#stateOf(fold), poison),
        onFailure: (error) => this.#background.reportFailure(null, error),
      },
      mark,
    );
  }

  /**
   * Catches up, or rebuilds what another version has built: several projections from one reading of the log. Retries
   * failures of an engine.
   */
  #bringUpToDate(states: readonly ProjectionState[], group: LiveProjectionGroup): Promise<void> {
    const names = states.map(({ name }) => name).join(", ");
    return this.#background.retryUntilDone(names, async () => {
      const pending = states.filter((state) => state.stoppedBy === undefined && !group.has(state.name));
      const outdated = pending.filter(({ fold }) => fold === undefined);
      if (outdated.length > 0) await this.#rebuild(outdated, group);
      const folds = pending.flatMap(({ fold }) => (fold === undefined ? [] : [fold]));
      for (const fold of folds) await fold.reloadCheckpoint();
      await catchUpAndJoin(folds, group, {
        ...this.#options,
        signal: this.#background.signal,
        onFolded: () => this.#showProgress(...folds),
        onPoison: (fold, poison) => {
          this.#showProgress(fold);
          this.#markStopped(this.#stateOf(fold), poison);
        },
        // A rebuild may have been faster.
        mayJoin: (fold) => this.#stateOf(fold).fold === fold,
      });
    });
  }

  async #rebuild(
    states: readonly ProjectionState[],
    group: LiveProjectionGroup,
    onProgress: (progress: RebuildProgress) => void = () => undefined,
  ): Promise<Rebuilt> {
    for (const { name, isRebuilding } of states) {
      if (isRebuilding) throw new ProjectorRefusal("rebuild_under_way", `${name} is being rebuilt already`);
    }
    const building = new Set(states);
    for (const state of states) {
      state.isRebuilding = true;
      state.rebuildFailedBy = undefined;
    }
    try {
      const rebuilt = await rebuild(
        states.map(({ projection }) => projection),
        {
          ...this.#options,
          group,
          signal: this.#background.signal,
          onProgress,
          onSwitched: (fold) => {
            const state = this.#stateOf(fold);
            state.fold = fold;
            state.stoppedBy = undefined;
            state.isRebuilding = false;
            building.delete(state);
            this.#cleanup.dropOlderAfterGrace(fold.generation);
          },
        },
      );
      for (const [name, poison] of rebuilt.poisons) {
        const state = this.#stateNamed(name);
        if (state.fold === undefined) this.#markStopped(state, poison);
        else state.rebuildFailedBy = poison;
      }
      return rebuilt;
    } finally {
      for (const state of building) state.isRebuilding = false;
    }
  }

  #showProgress(...folds: readonly ProjectionFold[]): void {
    for (const { projection, checkpoint } of folds) this.progress.advance(projection.name, checkpoint);
  }

  #markStopped(state: ProjectionState, poison: PoisonEvent): void {
    state.stoppedBy = poison;
    this.#options.onProblem({ projection: state.name, error: poison.error });
  }

  #stateOf(fold: ProjectionFold): ProjectionState {
    return this.#stateNamed(fold.projection.name);
  }

  #stateNamed(name: string): ProjectionState {
    const state = this.#states.get(name);
    if (state === undefined) throw new ProjectorRefusal("unknown_projection", `there is no projection ${name}`);
    return state;
  }

  #startedGroup(): LiveProjectionGroup {
    if (this.#group === undefined) throw new Error("the projector has not been started");
    return this.#group;
  }
}
