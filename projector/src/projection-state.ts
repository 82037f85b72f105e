import type { ProjectionStatus } from "@travel-booking/read-models/control";
import type { Projection } from "./projection.ts";
import type { PoisonEvent, ProjectionFold } from "./projection-fold.ts";

/** What to do about a poison event. */
export type PoisonPolicy = "stop" | "skip" | "retry";

/** The state of one projection while the projector runs. */
export class ProjectionState {
  readonly projection: Projection;
  readonly policy: PoisonPolicy;
  /** Positions of events to leave out. */
  readonly skipped = new Set<bigint>();
  /** The live generation, if this version of the projection built it. */
  fold: ProjectionFold | undefined;
  isRebuilding = false;
  stoppedBy: { readonly error: unknown; readonly poison: PoisonEvent | undefined } | undefined;
  /** What ended the last rebuild, while the live generation continues. */
  rebuildFailedBy: PoisonEvent | undefined;

  constructor(projection: Projection, policy: PoisonPolicy) {
    this.projection = projection;
    this.policy = policy;
  }

  get name(): string {
    return this.projection.name;
  }

  isSkipped({ event }: PoisonEvent): boolean {
    return this.policy === "skip" || this.skipped.has(event.position);
  }

  status(position: bigint, head: bigint): ProjectionStatus {
    const error = this.stoppedBy?.error;
    return {
      name: this.name,
      state: this.isRebuilding ? "rebuilding" : error === undefined ? "live" : "stopped",
      position: String(position),
      lag: head > position ? Number(head - position) : 0,
      error: error === undefined ? null : error instanceof Error ? error.message : String(error),
    };
  }
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
