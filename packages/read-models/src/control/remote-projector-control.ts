import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { StateStore } from "@travel-booking/engines/state-store";
import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
  type ReportedStatus,
  resultOf,
  statusAt,
} from "./control.ts";
import { type ProjectionRequest, REQUESTS, type RequestOutcome, STATUSES } from "./projection-requests.ts";

/** Real time. */
const POLL_INTERVAL_MS = 200;
/** Real time until an unclaimed request fails; longer than a lease takes to change its holder. */
const CLAIM_TIMEOUT_MS = 30_000;

interface RemoteProjectorControlOptions {
  readonly state: StateStore;
  readonly projections: readonly string[];
  /** Position of the last event. */
  readonly head: () => Promise<bigint>;
  /** Everything up to here can be read. */
  readonly positionOf: (projection: string) => bigint;
}

/** The status before the first report. */
const NOT_REPORTED: ReportedStatus = { state: "live", error: null, failedAt: null };

/** Controls the projectors of other instances through the state store. */
export class RemoteProjectorControl implements ProjectorControl {
  readonly #options: RemoteProjectorControlOptions;

  constructor(options: RemoteProjectorControlOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    const { state, projections, positionOf } = this.#options;
    const head = await this.#options.head();
    return Promise.all(
      projections.map(async (name) => {
        const position = positionOf(name);
        const reported = await state.get<ReportedStatus>(STATUSES, name);
        return statusAt(name, reported?.value ?? NOT_REPORTED, position, head);
      }),
    );
  }

  async rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    return resultOf(await this.#request(name, "rebuild", onProgress)) as RebuildResult;
  }

  async retry(name: string): Promise<ProjectionStatus> {
    return resultOf(await this.#request(name, "retry")) as ProjectionStatus;
  }

  async #request(
    name: string,
    verb: ProjectionRequest["verb"],
    onProgress: (progress: RebuildProgress) => void = () => undefined,
  ): Promise<RequestOutcome> {
    const { state, projections } = this.#options;
    if (!projections.includes(name)) {
      throw new ProjectorRefusal("unknown_projection", `there is no projection ${name}`);
    }
    const request: ProjectionRequest = { id: randomUUID(), verb, worker: null, progress: null, outcome: null };
    const { created, record: last } = await state.create(REQUESTS, name, request);
    // A finished request is replaced.
    const isSubmitted =
      created ||
      (last.value.outcome !== null && (await state.replace(REQUESTS, name, last.version, request)) !== undefined);
    if (!isSubmitted) {
      throw new ProjectorRefusal("rebuild_under_way", `another request about ${name} is not over yet`);
    }
    const submittedAt = performance.now();
    for (let lastProgress = ""; ; await setTimeout(POLL_INTERVAL_MS)) {
      const record = await state.get<ProjectionRequest>(REQUESTS, name);
      if (record?.value.id !== request.id) throw new Error(`the request about ${name} is gone; ask again`);
      const { worker, progress, outcome } = record.value;
      if (progress !== null && lastProgress !== JSON.stringify(progress)) {
        lastProgress = JSON.stringify(progress);
        onProgress(progress);
      }
      if (outcome !== null) return outcome;
      if (worker !== null || performance.now() - submittedAt < CLAIM_TIMEOUT_MS) continue;
      const failure = { message: `no projector is running ${name}: start one`, refusal: "not_running" as const };
      // If the swap fails, a projector has just claimed the request.
      const failed = { ...record.value, outcome: { failure } };
      if ((await state.replace(REQUESTS, name, record.version, failed)) !== undefined) return { failure };
    }
  }
}
