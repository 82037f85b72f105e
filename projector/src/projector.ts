import { setTimeout } from "node:timers/promises";
import { AnotherLog, assertSameLog, type EventStore, type LogMark } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import { SealedDocuments, type SealedWords } from "@travel-booking/read-models/sealed-words";
import { BackgroundWork } from "./background-work.ts";
import { catchUpAndJoin } from "./catch-up.ts";
import type { FoldOptions, PoisonEvent } from "./fold-together.ts";
import { dropGenerations, openGenerations } from "./generations.ts";
import { LiveProjectionGroup } from "./live-projection-group.ts";
import { LocalProgress } from "./local-progress.ts";
import type { Projection } from "./projection.ts";
import { ProjectionFold } from "./projection-fold.ts";
import { ProjectionState } from "./projection-state.ts";
import { rebuild } from "./rebuild.ts";

export interface ProjectorOptions extends Pick<FoldOptions, "skippedEvents"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head" | "eventIdAt">;
  readonly readStore: ReadStore;
  /** Personal words are sealed in both stores, but projections see them open. */
  readonly words: SealedWords;
  readonly projections: readonly Projection[];
  /** Called once, when a store is damaged. Then the projector stands still. */
  readonly onFatal: (error: unknown) => void;
  /**
   * Called once, when the log is found to be another one, or the right one again. Start a new projector then. Beside
   * another log, projections are stopped and can be rebuilt from it. Without this function, `start` throws, and later
   * `onFatal` is called.
   */
  readonly onLogChanged?: () => void;
  /** Called for the log when a projection has stopped, or an engine failed and is retried. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
  /** Real time for readers of a replaced generation to finish; 10,000 ms by default. */
  readonly graceMs?: number;
  /**
   * Other processes, perhaps of another release, run projections on the same read store. So a generation of a newer
   * version, live or being built, is left alone.
   */
  readonly shared?: boolean;
}

const DEFAULTS = { graceMs: 10_000, shared: false };
/** Real time between two checks whether the right log is back. */
const LOOK_AGAIN_MS = 500;

/** Keeps all projections up to date with the log. */
export class Projector implements ProjectorControl {
  readonly progress = new LocalProgress();
  readonly #options: ProjectorOptions &
    Required<Pick<ProjectorOptions, keyof typeof DEFAULTS>> & { readonly documents: SealedDocuments };
  readonly #states: ReadonlyMap<string, ProjectionState>;
  readonly #background: BackgroundWork;
  #group: LiveProjectionGroup | undefined;

  constructor(options: ProjectorOptions) {
    const { projections, readStore, words, onFatal, onLogChanged } = options;
    this.#options = { ...DEFAULTS, ...options, documents: new SealedDocuments(readStore, words) };
    this.#states = new Map(projections.map((one) => [one.name, new ProjectionState(one)]));
    this.#background = new BackgroundWork({
      ...this.#options,
      onFatal: (error) => (error instanceof AnotherLog && onLogChanged ? onLogChanged() : onFatal(error)),
    });
  }

  /**
   * Resolves when every position is known and the live generations are kept up to date, from their checkpoints on. A
   * projection whose live generation has another version is built in the background, and so is one that others share and that
   * has none. It has no readers meanwhile.
   * @throws AnotherLog a live generation was made from another log, and there is no `onLogChanged`.
   * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
   */
  async start(): Promise<void> {
    const states = [...this.#states.values()];
    for (const state of states) await this.#open(state);
    const folds = states.flatMap(({ fold }) => fold ?? []);
    const marks = folds.map(({ checkpoint }) => checkpoint);
    const highest = marks.reduce<LogMark | undefined>((a, b) => (a && a.position >= b.position ? a : b), undefined);
    const group = new LiveProjectionGroup(
      {
        ...this.#options,
        onAdvance: () => this.#showProgress(),
        onPoison: (fold, poison) => this.#markStopped(fold, poison),
      },
      highest ?? { position: await this.#options.eventStore.head(), id: null },
    );
    this.#group = group;
    for (const fold of folds) if (fold.checkpoint.position === group.position) group.join(fold);
    const behind = states.filter(({ fold }) => fold === undefined || !group.has(fold));
    for (const together of Map.groupBy(behind, ({ fold }) => fold === undefined).values()) {
      this.#background.track(this.#bringUpToDate(together));
    }
    this.#background.track(group.run(this.#background));
    if (this.anotherLog !== undefined) this.#background.track(this.#lookForRightLog());
  }

  /** Set while the log is not the one that a projection was built from. */
  get anotherLog(): AnotherLog | undefined {
    const errors = [...this.#states.values()].map(({ stoppedBy }) => stoppedBy?.error);
    return errors.find((error) => error instanceof AnotherLog);
  }

  /** Finishes the current batch. A rebuild is given up. The rebuild of a new version begins again at the next start. */
  async stop(): Promise<void> {
    await this.#background.stop();
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    const head = await this.#options.eventStore.head();
    return [...this.#states.values()].map((state) => state.status(this.progress.positionOf(state.name), head));
  }

  async rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    const state = this.#stateNamed(name);
    const rebuilt = await this.#rebuild([state], onProgress);
    if (state.rebuildFailedBy === undefined) return { name, ...rebuilt };
    const { event, error } = state.rebuildFailedBy;
    if (state.stoppedBy !== undefined) throw error;
    const place = `the event ${event.type} of ${event.stream}, position ${event.position}`;
    throw new Error(`${error.message}, at ${place}; skip it and rebuild again to leave it out`, { cause: error });
  }

  async retry(name: string): Promise<ProjectionStatus> {
    const state = this.#stateNamed(name);
    if (state.stoppedBy === undefined) throw new ProjectorRefusal("not_stopped", `${name} is not stopped`);
    if (state.stoppedBy.error instanceof AnotherLog) throw state.stoppedBy.error;
    state.stoppedBy = undefined;
    await this.#bringUpToDate([state]);
    return state.status(this.progress.positionOf(name), await this.#options.eventStore.head());
  }

  /** Opens a projection. Stops it if it was built from another log. */
  async #open(state: ProjectionState): Promise<void> {
    const { eventStore, readStore, documents, shared, onLogChanged, onProblem } = this.#options;
    const head = () => eventStore.head();
    const { current, obsolete } = await openGenerations(readStore, state.projection, { shared, head });
    this.#background.track(dropGenerations(readStore, state.name, obsolete, this.#background.signal));
    // A generation of another version is not read, so nothing is visible yet.
    if (current === undefined) return this.progress.advance([[state.name, 0n]]);
    const checkpoint = await readStore.checkpoint(current);
    try {
      await assertSameLog(eventStore, [checkpoint]);
    } catch (error) {
      if (!(error instanceof AnotherLog) || onLogChanged === undefined) throw error;
      state.stoppedBy = { error };
      onProblem({ projection: null, error });
      return;
    }
    state.fold = new ProjectionFold(documents, state.projection, current, checkpoint);
    this.#showProgress();
  }

  /** Runs until every projection that another log stopped is rebuilt, or the right log is back. @throws AbortError */
  async #lookForRightLog(): Promise<void> {
    for (let stoppedBy = this.anotherLog; stoppedBy !== undefined; stoppedBy = this.anotherLog) {
      const isBack = await assertSameLog(this.#options.eventStore, [stoppedBy.mark]).then(
        () => true,
        () => false,
      );
      if (isBack) return this.#options.onLogChanged?.();
      await setTimeout(LOOK_AGAIN_MS, undefined, { signal: this.#background.signal, ref: false });
    }
  }

  /**
   * Catches up, or rebuilds generations of another version. Reads the log once for several projections. Retries
   * failures of an engine.
   */
  #bringUpToDate(states: readonly ProjectionState[]): Promise<void> {
    const group = this.#startedGroup();
    const names = states.map(({ name }) => name).join(", ");
    return this.#background.retryUntilDone(names, async () => {
      const pending = states.filter(({ stoppedBy }) => stoppedBy === undefined);
      const folds = pending.flatMap(({ fold }) => fold ?? []).filter((fold) => !group.has(fold));
      const outdated = pending.filter(({ fold }) => fold === undefined);
      if (outdated.length > 0) await this.#rebuild(outdated);
      for (const fold of folds) await fold.reloadCheckpoint();
      await catchUpAndJoin(folds, group, {
        ...this.#options,
        signal: this.#background.signal,
        onFolded: () => this.#showProgress(),
        onPoison: (fold, poison) => {
          this.#markStopped(fold, poison);
          this.#showProgress();
        },
        // A rebuild may have replaced the fold meanwhile.
        mayJoin: (fold) => this.#stateOf(fold).fold === fold,
      });
    });
  }

  #rebuild(states: readonly ProjectionState[], onProgress: (progress: RebuildProgress) => void = () => undefined) {
    return rebuild(states, {
      ...this.#options,
      group: this.#startedGroup(),
      background: this.#background,
      onProgress,
      onPoison: (fold, poison) => this.#markStopped(fold, poison),
    });
  }

  /** Shows readers everything that live folds have written. */
  #showProgress(): void {
    const states = [...this.#states.values()];
    this.progress.advance(
      states.flatMap(({ name, fold }) => (fold ? [[name, fold.checkpoint.position] as const] : [])),
    );
  }

  #markStopped(fold: ProjectionFold, poison: PoisonEvent): void {
    this.#stateOf(fold).stoppedBy = poison;
    this.#options.onProblem({ projection: fold.projection.name, error: poison.error });
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
