import { setTimeout } from "node:timers/promises";
import type { StateRecord } from "@travel-booking/engines/state-store";
import {
  outcomeOf,
  type ProjectionStatus,
  type ProjectorControl,
  type RebuildProgress,
  type RebuildResult,
  type ReportedStatus,
} from "./control.ts";
import type { ProjectionRequest, ProjectionRequestStore, RequestOutcome } from "./projection-request-store.ts";

/** Of requests and of progress; real time. */
const POLL_INTERVAL_MS = 250;

const ABANDONED: RequestOutcome = {
  failure: { message: "the projector that worked on this has ended; ask again", refusal: null },
};

interface ServeRequestsOptions {
  readonly requestStore: ProjectionRequestStore;
  readonly projection: string;
  /** The projector that runs it. */
  readonly projector: ProjectorControl;
  /** Names this instance. */
  readonly instanceId: string;
  readonly signal: AbortSignal;
  /** The state store could not be reached; polling goes on. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Carries out the requests about one projection and reports its status. Only the instance that runs the projection may
 * call it, so a request that another instance has claimed was abandoned by a process that ended.
 */
export async function serveRequests(options: ServeRequestsOptions): Promise<void> {
  const { signal, onProblem } = options;
  const server = new RequestServer(options);
  while (!signal.aborted) {
    await server.poll().catch(onProblem);
    await setTimeout(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** The request this instance has claimed. */
interface ActiveRequest {
  readonly id: string;
  progress: RebuildProgress | null;
  outcome: RequestOutcome | null;
}

class RequestServer {
  readonly #options: ServeRequestsOptions;
  #active: ActiveRequest | undefined;
  #reportedStatus: string | undefined;

  constructor(options: ServeRequestsOptions) {
    this.#options = options;
  }

  async poll(): Promise<void> {
    await this.#reportStatus();
    const { requestStore, projection } = this.#options;
    const record = await requestStore.request(projection);
    if (record === undefined || record.value.outcome !== null) return;
    const request = record.value;
    if (request.worker === null) await this.#claim(record);
    else if (request.id === this.#active?.id) await this.#saveProgress(record, this.#active);
    else await requestStore.replace(projection, record, { ...request, outcome: ABANDONED });
  }

  async #reportStatus(): Promise<void> {
    const { requestStore, projection, projector } = this.#options;
    const current = (await projector.list()).find(({ name }) => name === projection);
    if (current === undefined) return;
    const status: ReportedStatus = { state: current.state, error: current.error, failedAt: current.failedAt };
    const text = JSON.stringify(status);
    if (text === this.#reportedStatus) return;
    await requestStore.reportStatus(projection, status);
    this.#reportedStatus = text;
  }

  async #claim(record: StateRecord<ProjectionRequest>): Promise<void> {
    const { requestStore, projection, projector, instanceId } = this.#options;
    const request = record.value;
    if ((await requestStore.replace(projection, record, { ...request, worker: instanceId })) === undefined) return;
    const active: ActiveRequest = { id: request.id, progress: null, outcome: null };
    this.#active = active;
    const onProgress = (progress: RebuildProgress) => {
      active.progress = progress;
    };
    const perform = () =>
      request.verb === "rebuild" ? projector.rebuild(projection, onProgress) : projector.retry(projection);
    void outcomeOf<RebuildResult | ProjectionStatus>(perform).then((outcome) => {
      active.outcome = outcome;
    });
  }

  async #saveProgress(record: StateRecord<ProjectionRequest>, { progress, outcome }: ActiveRequest): Promise<void> {
    if (outcome === null && progress === null) return;
    await this.#options.requestStore.replace(this.#options.projection, record, { ...record.value, progress, outcome });
  }
}
