import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { type EventReference, type ProjectionStatus, statusAt } from "@travel-booking/read-models/control";
import type { Projection } from "./projection.ts";
import type { PoisonEvent, ProjectionFold } from "./projection-fold.ts";

/** Why a projection stands still: an event it can't handle, or a log that is not its own. */
type StopReason = Pick<PoisonEvent, "error"> & Partial<Pick<PoisonEvent, "event">>;

/** The state of one projection while the projector runs. */
export class ProjectionState {
  readonly projection: Projection;
  /** The live generation, if this version of the projection built it. */
  fold: ProjectionFold | undefined;
  isRebuilding = false;
  stoppedBy: StopReason | undefined;
  /** What ended the last rebuild, while the live generation continues. */
  rebuildFailedBy: PoisonEvent | undefined;

  constructor(projection: Projection) {
    this.projection = projection;
  }

  get name(): string {
    return this.projection.name;
  }

  status(position: bigint, head: bigint): ProjectionStatus {
    const event = (this.stoppedBy ?? this.rebuildFailedBy)?.event;
    const state = this.isRebuilding ? "rebuilding" : this.stoppedBy === undefined ? "live" : "stopped";
    const error = this.stoppedBy?.error.message ?? null;
    const failedAt = event === undefined ? null : referenceTo(event);
    return statusAt(this.name, { state, error, failedAt }, position, head);
  }
}

function referenceTo({ id, type, stream, position }: RecordedEvent): EventReference {
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
