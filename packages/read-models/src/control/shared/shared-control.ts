import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "../control.ts";
import type { ProjectionDesk, ProjectionRequest, RequestedVerb, RequestOutcome } from "./desk.ts";

/** How often the desk is looked at for an answer; real time. */
const LOOK_EVERY_MS = 200;
/** How long a request may lie there before somebody takes it; real time. Longer than a lease needs to change hands. */
const TAKEN_WITHIN_MS = 30_000;

export interface SharedProjectorControlOptions {
  readonly desk: ProjectionDesk;
  /** The names of all projections. */
  readonly projections: readonly string[];
  /** Position of the last event. */
  readonly head: () => Promise<bigint>;
  /** Everything up to here can be read. */
  readonly positionOf: (projection: string) => bigint;
}

/** The projectors of other instances, reached through the state store they share. */
export class SharedProjectorControl implements ProjectorControl {
  readonly #options: SharedProjectorControlOptions;

  constructor(options: SharedProjectorControlOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    const head = await this.#options.head();
    return Promise.all(this.#options.projections.map((name) => this.#status(name, head)));
  }

  async rebuild(name: string, onProgress: (progress: RebuildProgress) => void = () => {}): Promise<RebuildResult> {
    return (await this.#ask(name, "rebuild", onProgress)) as RebuildResult;
  }

  async retry(name: string): Promise<ProjectionStatus> {
    return (await this.#ask(name, "retry")) as ProjectionStatus;
  }

  async skip(name: string): Promise<ProjectionStatus> {
    return (await this.#ask(name, "skip")) as ProjectionStatus;
  }

  async #status(name: string, head: bigint): Promise<ProjectionStatus> {
    const position = this.#options.positionOf(name);
    const told = await this.#options.desk.status(name);
    return {
      name,
      state: told?.state ?? "live",
      position: String(position),
      lag: head > position ? Number(head - position) : 0,
      error: told?.error ?? null,
    };
  }

  async #ask(name: string, verb: RequestedVerb, onProgress: (progress: RebuildProgress) => void = () => undefined) {
    const { desk, projections } = this.#options;
    if (!projections.includes(name)) {
      throw new ProjectorRefusal("unknown_projection", `there is no projection ${name}`);
    }
    const request: ProjectionRequest = { id: randomUUID(), verb, worker: null, progress: null, outcome: null };
    if (!(await desk.leave(name, request))) {
      throw new ProjectorRefusal("rebuild_under_way", `another request about ${name} is not over yet`);
    }
    return resultOf(await this.#awaitOutcome(name, request.id, onProgress));
  }

  async #awaitOutcome(
    name: string,
    id: string,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<RequestOutcome> {
    const { desk } = this.#options;
    const leftAt = performance.now();
    for (let told = ""; ; await setTimeout(LOOK_EVERY_MS)) {
      const record = await desk.request(name);
      if (record?.value.id !== id) throw new Error(`the request about ${name} is gone; ask again`);
      const { worker, progress, outcome } = record.value;
      if (progress !== null && told !== JSON.stringify(progress)) {
        told = JSON.stringify(progress);
        onProgress(progress);
      }
      if (outcome !== null) return outcome;
      if (worker !== null || performance.now() - leftAt < TAKEN_WITHIN_MS) continue;
      const failure = { message: `no projector is running ${name}: start one`, refusal: "not_running" as const };
      // Taken at this very moment: then it is waited for.
      if ((await desk.revise(name, record, { ...record.value, outcome: { failure } })) !== undefined)
        return { failure };
    }
  }
}

function resultOf(outcome: RequestOutcome) {
  if ("result" in outcome) return outcome.result;
  const { message, refusal } = outcome.failure;
  throw refusal === null ? new Error(message) : new ProjectorRefusal(refusal, message);
}
