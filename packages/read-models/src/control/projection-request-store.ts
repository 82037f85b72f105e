import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import type { Outcome, ProjectionStatus, RebuildProgress, RebuildResult, ReportedStatus } from "./control.ts";

const REQUESTS = "projection-requests";
const STATUSES = "projection-statuses";

export type RequestOutcome = Outcome<RebuildResult | ProjectionStatus>;

export interface ProjectionRequest {
  readonly id: string;
  readonly verb: "rebuild" | "retry";
  /** The instance that has claimed it; null: not claimed yet. */
  readonly worker: string | null;
  readonly progress: RebuildProgress | null;
  /** Null: not finished yet. */
  readonly outcome: RequestOutcome | null;
}

/**
 * Operators' requests to the projector of a projection, one at a time for each, and the status it last reported. Shared
 * by the instances through the state store.
 */
export class ProjectionRequestStore {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  request(projection: string): Promise<StateRecord<ProjectionRequest> | undefined> {
    return this.#store.get<ProjectionRequest>(REQUESTS, projection);
  }

  /** False: another request about the projection is not finished. */
  async submit(projection: string, request: ProjectionRequest): Promise<boolean> {
    const { created, record } = await this.#store.create(REQUESTS, projection, request);
    if (created) return true;
    if (record.value.outcome === null) return false;
    return this.replace(projection, record, request);
  }

  /** False: the record has another version now. */
  async replace(
    projection: string,
    { version }: StateRecord<ProjectionRequest>,
    request: ProjectionRequest,
  ): Promise<boolean> {
    return (await this.#store.replace(REQUESTS, projection, version, request)) !== undefined;
  }

  async status(projection: string): Promise<ReportedStatus | undefined> {
    return (await this.#store.get<ReportedStatus>(STATUSES, projection))?.value;
  }

  async reportStatus(projection: string, status: ReportedStatus): Promise<void> {
    await this.#store.put(STATUSES, projection, status);
  }
}
