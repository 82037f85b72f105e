import type { PoisonEvent } from "../folding/fold-one-by-one.ts";

/** A rebuild came to an event that can't be handled; what is live stays live. */
export class RebuildFailed extends Error {
  override readonly name = "RebuildEnded";

  constructor({ event, error }: PoisonEvent) {
    super(
      `${error.message}, at the event ${event.type} of ${event.stream}, position ${event.position}; ` +
        "skip it and rebuild again to leave it out",
      { cause: error },
    );
  }
}
