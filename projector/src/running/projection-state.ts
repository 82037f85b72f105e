import type { PoisonEvent } from "../folding/fold-one-by-one.ts";
import type { ProjectionFold } from "../folding/projection-fold.ts";
import type { Projection } from "../projection.ts";

/** What to do about an event a projection can't handle. */
export type PoisonPolicy = "stop" | "skip" | "retry";

/** What the projector knows of one projection while it runs. */
export interface ProjectionState {
  readonly projection: Projection;
  readonly policy: PoisonPolicy;
  /** Positions of events that are left out. */
  readonly skipped: Set<bigint>;
  /** The live generation, where this version of the projection built it. */
  fold: ProjectionFold | undefined;
  rebuilding: boolean;
  stoppedBy: { readonly error: unknown; readonly poison: PoisonEvent | undefined } | undefined;
  /** What ended the last rebuild, while the generation that is live goes on. */
  rebuildFailedBy: PoisonEvent | undefined;
}

export function isSkipped(state: ProjectionState, poison: PoisonEvent): boolean {
  return state.policy === "skip" || state.skipped.has(poison.event.position);
}
