import { type EventReference, type ProjectionStatus, statusAt } from "@travel-booking/read-models/control";
import type { Projection } from "./projection.ts";
import type { PoisonEvent, ProjectionFold } from "./projection-fold.ts";

/** The state of one projection while the projector runs. */
export class ProjectionState {
  readonly projection: Projection;
  /** The live generation, if this version of the projection built it. */
  fold: ProjectionFold | undefined;
  isRebuilding = false;
  stoppedBy: PoisonEvent | undefined;
  /** What ended the last rebuild, while the live generation continues. */
  rebuildFailedBy: PoisonEvent | undefined;

  constructor(projection: Projection) {
    this.projection = projection;
  }

  get name(): string {
    return this.projection.name;
  }

  status(position: bigint, head: bigint): ProjectionStatus {
    const poison = this.stoppedBy ?? this.rebuildFailedBy;
    const state = this.isRebuilding ? "rebuilding" : this.stoppedBy === undefined ? "live" : "stopped";
    const error = this.stoppedBy?.error.message ?? null;
    const failedAt = poison === undefined ? null : referenceTo(poison);
    return statusAt(this.name, { state, error, failedAt }, position, head);
  }
}

function referenceTo({ event: { id, type, stream, position } }: PoisonEvent): EventReference {
  return { id, type, stream, position: String(position) };
}

/** A rebuild met a poison event; the live generation stays live. */
export class RebuildFailed extends Error {
  override readonly name = "RebuildFailed";

  constructor({ event, error }: PoisonEvent) {
    super(
      `${error.message}, at the event ${event.type} of ${event.stream}, position ${event.position}; ` +
        "skip it and rebuild again to leave it out",
      { cause: error },
    );
  }
}
