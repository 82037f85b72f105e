import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionStatus, ProjectorRefusal, RebuildProgress, RebuildResult } from "./control.ts";

const REQUESTS = "projection-requests";
const STATUSES = "projection-statuses";

export type RequestedVerb = "rebuild" | "retry" | "skip";

/** What became of a request. */
export type RequestOutcome =
  | { readonly result: RebuildResult | ProjectionStatus }
  | { readonly failure: { readonly message: string; readonly refusal: ProjectorRefusal["code"] | null } };

/** Something an operator asks of the projector that runs a projection, wherever it runs. */
export interface ProjectionRequest {
  readonly id: string;
  readonly verb: RequestedVerb;
  /** Who works on it; null: nobody yet. */
  readonly worker: string | null;
  readonly progress: RebuildProgress | null;
  /** Null: not over yet. */
  readonly outcome: RequestOutcome | null;
}

/** What the projector that runs a projection says of it. */
export type ReportedStatus = Pick<ProjectionStatus, "state" | "error">;

/**
 * Where instances that share a state store leave what they ask of each other about projections: one request at a time
 * for each projection, and what its projector last said of it.
 */
export class ProjectionRequestStore {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  request(projection: string): Promise<StateRecord<ProjectionRequest> | undefined> {
    return this.#store.get<ProjectionRequest>(REQUESTS, projection);
  }

  /** Leaves a request; false where another one is not over yet. */
  async submit(projection: string, request: ProjectionRequest): Promise<boolean> {
    const { created, record } = await this.#store.create(REQUESTS, projection, request);
    if (created) return true;
    if (record.value.outcome === null) return false;
    return (await this.#store.replace(REQUESTS, projection, record.version, request)) !== undefined;
  }

  /** Writes over the version that was read; undefined where it has moved on. */
  replace(
    projection: string,
    { version }: Pick<StateRecord<ProjectionRequest>, "version">,
    request: ProjectionRequest,
  ): Promise<StateRecord<ProjectionRequest> | undefined> {
    return this.#store.replace(REQUESTS, projection, version, request);
  }

  async status(projection: string): Promise<ReportedStatus | undefined> {
    return (await this.#store.get<ReportedStatus>(STATUSES, projection))?.value;
  }

  async reportStatus(projection: string, status: ReportedStatus): Promise<void> {
    await this.#store.put(STATUSES, projection, status);
  }
}
