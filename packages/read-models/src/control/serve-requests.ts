import { setTimeout } from "node:timers/promises";
import type { StateRecord } from "@travel-booking/engines/state-store";
import { type ProjectorControl, ProjectorRefusal, type RebuildProgress } from "./control.ts";
import type {
  ProjectionRequest,
  ProjectionRequestStore,
  ReportedStatus,
  RequestOutcome,
} from "./projection-request-store.ts";

/** How often the desk is looked at, and progress is told; real time. */
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
  /** The state store could not be reached; it is tried again. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Does what is left on the desk for one projection, and keeps its status there. To be called by the one instance that
 * runs the projection, for as long as it does: a request somebody else is said to be at work on was left by an end.
 */
export async function serveRequests(options: ServeRequestsOptions): Promise<void> {
  const { signal, onProblem } = options;
  const server = new RequestServer(options);
  while (!signal.aborted) {
    await server.poll().catch(onProblem);
    await setTimeout(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** The request this instance works on. */
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
    const known = (await projector.list()).find(({ name }) => name === projection);
    if (known === undefined) return;
    const status: ReportedStatus = { state: known.state, error: known.error };
    const said = JSON.stringify(status);
    if (said === this.#reportedStatus) return;
    await requestStore.reportStatus(projection, status);
    this.#reportedStatus = said;
  }

  async #claim(record: StateRecord<ProjectionRequest>): Promise<void> {
    const { requestStore, projection, instanceId } = this.#options;
    const request = record.value;
    if ((await requestStore.replace(projection, record, { ...request, worker: instanceId })) === undefined) return;
    const working: ActiveRequest = { id: request.id, progress: null, outcome: null };
    this.#active = working;
    void this.#perform(request, (progress) => {
      working.progress = progress;
    }).then((outcome) => {
      working.outcome = outcome;
    });
  }

  async #perform(
    { verb }: ProjectionRequest,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<RequestOutcome> {
    const { projector, projection } = this.#options;
    try {
      return {
        result: await (verb === "rebuild" ? projector.rebuild(projection, onProgress) : projector[verb](projection)),
      };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { failure: { message, refusal: error instanceof ProjectorRefusal ? error.code : null } };
    }
  }

  async #saveProgress(record: StateRecord<ProjectionRequest>, { progress, outcome }: ActiveRequest): Promise<void> {
    if (outcome === null && progress === null) return;
    await this.#options.requestStore.replace(this.#options.projection, record, { ...record.value, progress, outcome });
  }
}
