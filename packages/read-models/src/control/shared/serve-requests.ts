import { setTimeout } from "node:timers/promises";
import type { StateRecord } from "@travel-booking/engines/state-store";
import { type ProjectorControl, ProjectorRefusal, type RebuildProgress } from "../control.ts";
import type { ProjectionDesk, ProjectionRequest, RequestOutcome, ToldStatus } from "./desk.ts";

/** How often the desk is looked at, and progress is told; real time. */
const LOOK_EVERY_MS = 250;

const ABANDONED: RequestOutcome = {
  failure: { message: "the projector that worked on this has ended; ask again", refusal: null },
};

export interface ServeRequestsOptions {
  readonly desk: ProjectionDesk;
  readonly projection: string;
  /** The projector that runs it. */
  readonly projector: ProjectorControl;
  /** Names this instance. */
  readonly worker: string;
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
    await server.look().catch(onProblem);
    await setTimeout(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** The request this instance works on. */
interface Work {
  readonly id: string;
  progress: RebuildProgress | null;
  outcome: RequestOutcome | null;
}

class RequestServer {
  readonly #options: ServeRequestsOptions;
  #working: Work | undefined;
  #told: string | undefined;

  constructor(options: ServeRequestsOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    await this.#tellStatus();
    const { desk, projection } = this.#options;
    const record = await desk.request(projection);
    if (record === undefined || record.value.outcome !== null) return;
    const request = record.value;
    if (request.worker === null) await this.#take(record);
    else if (request.id === this.#working?.id) await this.#report(record, this.#working);
    else await desk.revise(projection, record, { ...request, outcome: ABANDONED });
  }

  async #tellStatus(): Promise<void> {
    const { desk, projection, projector } = this.#options;
    const known = (await projector.list()).find(({ name }) => name === projection);
    if (known === undefined) return;
    const status: ToldStatus = { state: known.state, error: known.error };
    const said = JSON.stringify(status);
    if (said === this.#told) return;
    await desk.tell(projection, status);
    this.#told = said;
  }

  async #take(record: StateRecord<ProjectionRequest>): Promise<void> {
    const { desk, projection, worker } = this.#options;
    const request = record.value;
    if ((await desk.revise(projection, record, { ...request, worker })) === undefined) return;
    const working: Work = { id: request.id, progress: null, outcome: null };
    this.#working = working;
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

  async #report(record: StateRecord<ProjectionRequest>, { progress, outcome }: Work): Promise<void> {
    if (outcome === null && progress === null) return;
    await this.#options.desk.revise(this.#options.projection, record, { ...record.value, progress, outcome });
  }
}
