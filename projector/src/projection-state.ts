import { type ProjectionStatus, statusAt } from "@travel-booking/read-models/control";
import type { PoisonEvent } from "./fold-together.ts";
import type { Projection } from "./projection.ts";
import type { ProjectionFold } from "./projection-fold.ts";

/** The state of one projection while the projector runs. */
export class ProjectionState {
  readonly projection: Projection;
  /** The live generation, if this version of the projection built it. */
  fold: ProjectionFold | undefined;
  isRebuilding = false;
  /** Why the projection stands still: an event that it can't handle, or another log. */
  stoppedBy: { readonly error: Error; readonly event?: PoisonEvent["event"] } | undefined;
  /** The event that ended the last rebuild, while the live generation continues. */
  rebuildFailedBy: PoisonEvent | undefined;

  constructor(projection: Projection) {
    this.projection = projection;
  }

  get name(): string {
    return this.projection.name;
  }

  status(position: bigint, head: bigint): ProjectionStatus {
    const state = this.isRebuilding ? "rebuilding" : this.stoppedBy === undefined ? "live" : "stopped";
    const error = this.stoppedBy?.error.message ?? null;
    const event = (this.stoppedBy ?? this.rebuildFailedBy)?.event;
    const failedAt = event
      ? { id: event.id, type: event.type, stream: event.stream, position: String(event.position) }
      : null;
    return statusAt(this.name, { state, error, failedAt }, position, head);
  }
}
