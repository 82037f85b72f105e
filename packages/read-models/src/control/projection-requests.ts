import type { Outcome, ProjectionStatus, RebuildProgress, RebuildResult } from "./control.ts";

/** In the state store, by projection: `ProjectionRequest`. Each projection has one at a time. */
export const REQUESTS = "projection-requests";
/** In the state store, by projection: the last `ReportedStatus` of its projector. */
export const STATUSES = "projection-statuses";

export type RequestOutcome = Outcome<RebuildResult | ProjectionStatus>;

/** An operator's request to the projector that runs a projection. */
export interface ProjectionRequest {
  readonly id: string;
  readonly verb: "rebuild" | "retry";
  /** The instance that claimed the request last; null: not claimed yet. */
  readonly worker: string | null;
  readonly progress: RebuildProgress | null;
  /** Null: not finished yet. */
  readonly outcome: RequestOutcome | null;
}
