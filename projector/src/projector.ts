import { DamagedStore, type EventStore } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import type { PoisonEvent } from "./folding/fold-one-by-one.ts";
import { isFaultOfProjection } from "./folding/projection-fault.ts";
import { ProjectionFold } from "./folding/projection-fold.ts";
import { LocalProgress } from "./local-progress.ts";
import type { Projection } from "./projection.ts";
import { rebuild } from "./rebuild.ts";
import { catchUp } from "./running/catch-up.ts";
import { GenerationCleanup } from "./running/generation-cleanup.ts";
import { LiveProjectionGroup } from "./running/live-projection-group.ts";
import { isSkipped, type PoisonPolicy, type ProjectionState } from "./running/projection-state.ts";
import { RebuildFailed } from "./running/rebuild-failed.ts";

export interface ProjectorOptions {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  /** By name of the projection; `stop` unless told. */
  readonly poisonPolicies?: Readonly<Record<string, PoisonPolicy>>;
  /** Nothing can go on: what is stored is damaged. Called once; everything stands still then. */
  readonly onFatal: (error: unknown) => void;
  /** For the log: a projection stopped or left an event out, or an engine failed and is tried again. */
  readonly onProblem: (problem: { readonly projection: string | null; readonly error: unknown }) => void;
  /** How long a replaced generation stays for those still reading it; 10,000 ms of real time unless told. */
  readonly graceMs?: number;
  /**
   * Other processes, perhaps of another release, run projections on the same read store: a projection whose live
   * generation was built by a newer version is left alone, and so is what a newer version is building.
   */
  readonly shared?: boolean;
  /** Between attempts after a failure; 100 ms growing to 5,000 ms of real time unless told. */
  readonly backOff?: BackoffOptions;
}

/** A newer version of this projection is live: this one is not needed any more. */
export class NewerVersionLive extends Error {
  override readonly name = "Superseded";

  constructor(projection: string) {
    super(`a newer version of ${projection} is live: this release stands by`);
  }
}

const GRACE_MS = 10_000;
const BACK_OFF: BackoffOptions = { initialMs: 100, maxMs: 5_000 };

/** Keeps all projections up with the log. */
export class Projector implements ProjectorControl {
  readonly progress = new LocalProgress();
  readonly #options: ProjectorOptions;
  readonly #backOff: BackoffOptions;
  readonly #states: ReadonlyMap<string, ProjectionState>;
  readonly #stop = new AbortController();
  readonly #generationCleanup: GenerationCleanup;
  readonly #background = new Set<Promise<void>>();
  #group: LiveProjectionGroup | undefined;
  #isFatal = false;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#backOff = options.backOff ?? BACK_OFF;
    this.#states = new Map(
      options.projections.map((projection) => {
        const policy = options.poisonPolicies?.[projection.name] ?? "stop";
        return [
          projection.name,
          {
            projection,
            policy,
            skipped: new Set(),
            fold: undefined,
            rebuilding: false,
            stoppedBy: undefined,
            rebuildFailedBy: undefined,
          },
        ];
      }),
    );
    this.#generationCleanup = new GenerationCleanup(options.readStore, options.graceMs ?? GRACE_MS, (error) =>
      this.#reportFailure(null, error),
    );
  }

  /**
   * Resolves when every position is known and the live generations are being kept up. Goes on from the checkpoints;
   * what another version of a projection built is built anew, and served meanwhile as it is.
   * @throws Superseded the read store is shared, and a newer version's generation is live.
   */
  async start(): Promise<void> {
    const states = [...this.#states.values()];
    for (const state of states) await this.#open(state);
    const folds = states.map(({ fold }) => fold).filter((fold) => fold !== undefined);
    const position = folds.reduce<bigint | undefined>(
      (highest, { checkpoint }) => (highest === undefined || checkpoint > highest ? checkpoint : highest),
      undefined,
    );
    const group = this.#newGroup(position ?? (await this.#options.eventStore.head()));
    this.#group = group;
    for (const state of states) {
      if (state.fold?.checkpoint === group.position) group.join(state.fold);
      else if (state.fold !== undefined) this.#inBackground(state, () => this.#catchUpAndJoin(state, group));
      else this.#inBackground(state, async () => void (await this.#rebuild(state, group)));
    }
    this.#track(group.run(this.#stop.signal));
  }

  /** Finishes the batch under way. A rebuild is given up; a new version's is begun anew at the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#background);
    await this.#generationCleanup.stop();
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    const head = await this.#options.eventStore.head();
    return [...this.#states.values()].map((state) => this.#status(state, head));
  }

  async rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    return this.#rebuild(this.#stateNamed(name), this.#startedGroup(), onProgress);
  }

  async retry(name: string): Promise<ProjectionStatus> {
    return this.#resume(this.#stoppedStateNamed(name));
  }

  async skip(name: string): Promise<ProjectionStatus> {
    const known = this.#stateNamed(name);
    if (known.stoppedBy === undefined && known.rebuildFailedBy !== undefined) {
      known.skipped.add(known.rebuildFailedBy.event.position);
      return this.#status(known, await this.#options.eventStore.head());
    }
    const state = this.#stoppedStateNamed(name);
    const position = state.stoppedBy?.poison?.event.position;
    if (position !== undefined) state.skipped.add(position);
    return this.#resume(state);
  }

  async #open(state: ProjectionState): Promise<void> {
    const { readStore } = this.#options;
    const { name, version } = state.projection;
    const known = await readStore.generations(name);
    const live = known.find((one) => one.live);
    const generation = { projection: name, generation: live?.generation ?? 1 };
    if (live === undefined) {
      await readStore.create(generation, version);
      await readStore.switchLive(generation);
    }
    if (this.#options.shared === true && live !== undefined && live.version > version) throw new NewerVersionLive(name);
    const leftBehind = known.filter(
      (one) => one.generation !== generation.generation && !this.#isFromNewerRelease(one, version),
    );
    this.#generationCleanup.dropNow(leftBehind.map((one) => ({ projection: name, generation: one.generation })));
    const checkpoint = await readStore.checkpoint(generation);
    this.progress.advance(name, checkpoint);
    if (live === undefined || live.version === version) {
      state.fold = new ProjectionFold(readStore, state.projection, generation, checkpoint);
    }
  }

  #isFromNewerRelease({ version }: { readonly version: number }, own: number): boolean {
    return this.#options.shared === true && version > own;
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
        onFailure: (error) => this.#reportFailure(null, error),
      },
      position,
    );
  }

  /** Lets a projection that is behind catch up by itself, and then take part again. */
  async #catchUpAndJoin(state: ProjectionState, group: LiveProjectionGroup): Promise<void> {
    const { fold } = state;
    if (fold === undefined) return;
    await fold.reloadCheckpoint();
    const reach = (target: bigint) =>
      catchUp(fold, target, {
        ...this.#options,
        signal: this.#stop.signal,
        isSkipped: (poison) => this.#isSkipped(state, poison),
        onFolded: () => this.progress.advance(state.projection.name, fold.checkpoint),
      });
    const poison =
      (await reach(group.position)) ??
      (await group.runBetweenBatches(async () => {
        const last = await reach(group.position);
        // A rebuild may have been quicker.
        if (last === undefined && state.fold === fold) group.join(fold);
        return last;
      }));
    this.progress.advance(state.projection.name, fold.checkpoint);
    if (poison !== undefined) this.#markStopped(state, poison.error, poison);
  }

  async #rebuild(
    state: ProjectionState,
    group: LiveProjectionGroup,
    onProgress: (progress: RebuildProgress) => void = () => undefined,
  ): Promise<RebuildResult> {
    const { name } = state.projection;
    if (state.rebuilding) throw new ProjectorRefusal("rebuild_under_way", `${name} is being rebuilt already`);
    state.rebuilding = true;
    state.rebuildFailedBy = undefined;
    let poison: PoisonEvent | undefined;
    try {
      const result = await rebuild(state.projection, {
        ...this.#options,
        group,
        signal: this.#stop.signal,
        isSkipped: (found) => {
          poison = found;
          return this.#isSkipped(state, found);
        },
        onProgress,
        onSwitched: (fold) => {
          state.fold = fold;
          state.stoppedBy = undefined;
          this.#generationCleanup.dropOlderAfterGrace(fold.generation);
        },
      });
      return result;
    } catch (error) {
      if (!isFaultOfProjection(error)) throw error;
      if (state.fold !== undefined && poison !== undefined) {
        state.rebuildFailedBy = poison;
        throw new RebuildFailed(poison);
      }
      if (state.fold === undefined) this.#markStopped(state, error, poison);
      throw error;
    } finally {
      state.rebuilding = false;
    }
  }

  async #resume(state: ProjectionState): Promise<ProjectionStatus> {
    const group = this.#startedGroup();
    state.stoppedBy = undefined;
    await this.#retryUntilDone(state, async () => {
      if (state.fold !== undefined) await this.#catchUpAndJoin(state, group);
      else await this.#rebuild(state, group).catch((error: unknown) => this.#rethrowUnlessStopped(state, error));
    });
    return this.#status(state, await this.#options.eventStore.head());
  }

  /** A rebuild that ended at a poison event has said so already. */
  #rethrowUnlessStopped(state: ProjectionState, error: unknown): void {
    if (state.stoppedBy === undefined) throw error;
  }

  #inBackground(state: ProjectionState, work: () => Promise<void>): void {
    this.#track(
      this.#retryUntilDone(state, () => work().catch((error: unknown) => this.#rethrowUnlessStopped(state, error))),
    );
  }

  /** Repeats what an engine's failure interrupted. */
  async #retryUntilDone(state: ProjectionState, work: () => Promise<void>): Promise<void> {
    const backOff = new Backoff(this.#backOff);
    while (!this.#stop.signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (this.#stop.signal.aborted || !this.#reportFailure(state.projection.name, error)) return;
        await backOff.pause(this.#stop.signal);
      }
    }
  }

  #track(work: Promise<void>): void {
    const kept = work.finally(() => this.#background.delete(kept));
    this.#background.add(kept);
  }

  #isSkipped(state: ProjectionState, poison: PoisonEvent): boolean {
    const skipped = isSkipped(state, poison);
    if (skipped) this.#options.onProblem({ projection: state.projection.name, error: poison.error });
    return skipped;
  }

  #markStopped(state: ProjectionState, error: unknown, poison: PoisonEvent | undefined): void {
    state.stoppedBy = { error, poison };
    this.#options.onProblem({ projection: state.projection.name, error });
    if (state.policy !== "retry") return;
    const retry = async () => {
      await new Backoff({ initialMs: this.#backOff.maxMs, maxMs: this.#backOff.maxMs }).pause(this.#stop.signal);
      if (!this.#stop.signal.aborted && state.stoppedBy !== undefined) await this.#resume(state);
    };
    this.#track(retry());
  }

  /** True where it is worth another attempt. */
  #reportFailure(projection: string | null, error: unknown): boolean {
    if (this.#isFatal) return false;
    this.#isFatal = error instanceof DamagedStore;
    if (!this.#isFatal) {
      this.#options.onProblem({ projection, error });
      return true;
    }
    this.#stop.abort();
    this.#options.onFatal(error);
    return false;
  }

  #status(state: ProjectionState, head: bigint): ProjectionStatus {
    const { name } = state.projection;
    const position = this.progress.positionOf(name);
    const error = state.stoppedBy?.error;
    return {
      name,
      state: state.rebuilding ? "rebuilding" : error === undefined ? "live" : "stopped",
      position: String(position),
      lag: head > position ? Number(head - position) : 0,
      error: error === undefined ? null : error instanceof Error ? error.message : String(error),
    };
  }

  #stateNamed(name: string): ProjectionState {
    const state = this.#states.get(name);
    if (state === undefined) throw new ProjectorRefusal("unknown_projection", `there is no projection ${name}`);
    return state;
  }

  #stoppedStateNamed(name: string): ProjectionState {
    const state = this.#stateNamed(name);
    if (state.stoppedBy === undefined) throw new ProjectorRefusal("not_stopped", `${name} is not stopped`);
    return state;
  }

  #startedGroup(): LiveProjectionGroup {
    if (this.#group === undefined) throw new Error("the projector has not been started");
    return this.#group;
  }
}
