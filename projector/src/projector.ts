import type { EventStore } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import { BackgroundWork } from "./background-work.ts";
import { catchUp } from "./catch-up.ts";
import { GenerationCleanup, openGenerations } from "./generations.ts";
import { LiveProjectionGroup } from "./live-projection-group.ts";
import { LocalProgress } from "./local-progress.ts";
import type { Projection } from "./projection.ts";
import { isFaultOfProjection, type PoisonEvent, ProjectionFold } from "./projection-fold.ts";
import { type PoisonPolicy, ProjectionState, RebuildFailed } from "./projection-state.ts";
import { rebuild } from "./rebuild.ts";

export interface ProjectorOptions {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  /** By name of the projection; `stop` by default. */
  readonly poisonPolicies?: Readonly<Record<string, PoisonPolicy>>;
  /** Called once, when a store is damaged: the projector stands still then. */
  readonly onFatal: (error: unknown) => void;
  /** For the log: a projection stopped or skipped an event, or an engine failed and is retried. */
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
    const { projections, poisonPolicies = {}, readStore, backOff = BACK_OFF, graceMs = GRACE_MS } = options;
    this.#options = options;
    this.#backOff = backOff;
    this.#states = new Map(
      projections.map((one) => [one.name, new ProjectionState(one, poisonPolicies[one.name] ?? "stop")]),
    );
    this.#background = new BackgroundWork({ ...options, backOff });
    this.#cleanup = new GenerationCleanup(readStore, this.#background, graceMs);
  }

  /**
   * Resolves when every position is known and the live generations are kept up to date, from their checkpoints on. A
   * projection whose live generation is of another version is rebuilt in the background and served as it is meanwhile.
   * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
   */
  async start(): Promise<void> {
    const states = [...this.#states.values()];
    for (const state of states) await this.#open(state);
    const checkpoints = states.flatMap(({ fold }) => (fold === undefined ? [] : [fold.checkpoint]));
    const highest = checkpoints.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
    const group = this.#newGroup(highest ?? (await this.#options.eventStore.head()));
    this.#group = group;
    for (const state of states) {
      if (state.fold?.checkpoint === group.position) group.join(state.fold);
      else this.#background.track(this.#bringUpToDate(state, group));
    }
    this.#background.track(group.run(this.#background.signal));
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
    return this.#rebuild(this.#stateNamed(name), this.#startedGroup(), onProgress);
  }

  async retry(name: string): Promise<ProjectionStatus> {
    const state = this.#stateNamed(name);
    this.#assertStopped(state);
    await this.#resume(state);
    return this.#status(state);
  }

  async skip(name: string): Promise<ProjectionStatus> {
    const state = this.#stateNamed(name);
    if (state.stoppedBy === undefined && state.rebuildFailedBy !== undefined) {
      state.skipped.add(state.rebuildFailedBy.event.position);
      return this.#status(state);
    }
    this.#assertStopped(state);
    const position = state.stoppedBy?.poison?.event.position;
    if (position !== undefined) state.skipped.add(position);
    await this.#resume(state);
    return this.#status(state);
  }

  async #open(state: ProjectionState): Promise<void> {
    const { readStore, shared = false } = this.#options;
    const { live, isCurrent, obsolete } = await openGenerations(readStore, state.projection, shared);
    this.#cleanup.dropNow(obsolete);
    const checkpoint = await readStore.checkpoint(live);
    this.progress.advance(state.name, checkpoint);
    if (isCurrent) state.fold = new ProjectionFold(readStore, state.projection, live, checkpoint);
  }

  #newGroup(position: bigint): LiveProjectionGroup {
    const { eventStore, readStore } = this.#options;
    const stateOf = (fold: ProjectionFold) => this.#stateNamed(fold.projection.name);
    return new LiveProjectionGroup(
      {
        eventStore,
        readStore,
        backOff: this.#backOff,
        onAdvance: (fold) => this.progress.advance(fold.projection.name, fold.checkpoint),
        isSkipped: (fold, poison) => this.#isSkipped(stateOf(fold), poison),
        onPoison: (fold, poison) => this.#markStopped(stateOf(fold), poison.error, poison),
        onFailure: (error) => this.#background.reportFailure(null, error),
      },
      position,
    );
  }

  /** Catches up, or rebuilds what another version has built. Retries failures of an engine. */
  #bringUpToDate(state: ProjectionState, group: LiveProjectionGroup): Promise<void> {
    return this.#background.retryUntilDone(state.name, async () => {
      try {
        if (state.fold === undefined) await this.#rebuild(state, group);
        else if (!group.has(state.name)) await this.#catchUpAndJoin(state, state.fold, group);
      } catch (error) {
        // A rebuild that met a poison event has reported it already.
        if (state.stoppedBy === undefined) throw error;
      }
    });
  }

  /** Lets a projection that is behind catch up on its own before it joins the group. */
  async #catchUpAndJoin(state: ProjectionState, fold: ProjectionFold, group: LiveProjectionGroup): Promise<void> {
    await fold.reloadCheckpoint();
    const reach = (target: bigint) =>
      catchUp(fold, target, {
        ...this.#options,
        signal: this.#background.signal,
        isSkipped: (poison) => this.#isSkipped(state, poison),
        onFolded: () => this.progress.advance(state.name, fold.checkpoint),
      });
    const poison =
      (await reach(group.position)) ??
      (await group.runBetweenBatches(async () => {
        const last = await reach(group.position);
        // A rebuild may have been faster.
        if (last === undefined && state.fold === fold) group.join(fold);
        return last;
      }));
    this.progress.advance(state.name, fold.checkpoint);
    if (poison !== undefined) this.#markStopped(state, poison.error, poison);
  }

  async #rebuild(
    state: ProjectionState,
    group: LiveProjectionGroup,
    onProgress: (progress: RebuildProgress) => void = () => undefined,
  ): Promise<RebuildResult> {
    if (state.isRebuilding) throw new ProjectorRefusal("rebuild_under_way", `${state.name} is being rebuilt already`);
    state.isRebuilding = true;
    state.rebuildFailedBy = undefined;
    let poison: PoisonEvent | undefined;
    try {
      return await rebuild(state.projection, {
        ...this.#options,
        group,
        signal: this.#background.signal,
        isSkipped: (found) => {
          poison = found;
          return this.#isSkipped(state, found);
        },
        onProgress,
        onSwitched: (fold) => {
          state.fold = fold;
          state.stoppedBy = undefined;
          this.#cleanup.dropOlderAfterGrace(fold.generation);
        },
      });
    } catch (error) {
      if (!isFaultOfProjection(error)) throw error;
      if (state.fold !== undefined && poison !== undefined) {
        state.rebuildFailedBy = poison;
        throw new RebuildFailed(poison);
      }
      if (state.fold === undefined) this.#markStopped(state, error, poison);
      throw error;
    } finally {
      state.isRebuilding = false;
    }
  }

  async #resume(state: ProjectionState): Promise<void> {
    const group = this.#startedGroup();
    state.stoppedBy = undefined;
    await this.#bringUpToDate(state, group);
  }

  #isSkipped(state: ProjectionState, poison: PoisonEvent): boolean {
    const skipped = state.isSkipped(poison);
    if (skipped) this.#options.onProblem({ projection: state.name, error: poison.error });
    return skipped;
  }

  #markStopped(state: ProjectionState, error: unknown, poison: PoisonEvent | undefined): void {
    state.stoppedBy = { error, poison };
    this.#options.onProblem({ projection: state.name, error });
    if (state.policy === "retry") this.#background.track(this.#resumeLater(state));
  }

  async #resumeLater(state: ProjectionState): Promise<void> {
    const { signal } = this.#background;
    await new Backoff({ initialMs: this.#backOff.maxMs, maxMs: this.#backOff.maxMs }).pause(signal);
    if (!signal.aborted && state.stoppedBy !== undefined) await this.#resume(state);
  }

  async #status(state: ProjectionState): Promise<ProjectionStatus> {
    const head = await this.#options.eventStore.head();
    return state.status(this.progress.positionOf(state.name), head);
  }

  #stateNamed(name: string): ProjectionState {
    const state = this.#states.get(name);
    if (state === undefined) throw new ProjectorRefusal("unknown_projection", `there is no projection ${name}`);
    return state;
  }

  #assertStopped(state: ProjectionState): void {
    if (state.stoppedBy === undefined) throw new ProjectorRefusal("not_stopped", `${state.name} is not stopped`);
  }

  #startedGroup(): LiveProjectionGroup {
    if (this.#group === undefined) throw new Error("the projector has not been started");
    return this.#group;
  }
}
