import { KeyTooLong } from "@travel-booking/engines/read-store";

/** A projection could not handle an event. The cause is what its handler threw. */
export class ProjectionFault extends Error {
  override readonly name = "ProjectionFault";

  constructor(projection: string, cause: unknown) {
    super(`${projection}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** True for what one projection makes of an event; false for everything that concerns the stores. */
export function isFaultOfProjection(error: unknown): boolean {
  return error instanceof ProjectionFault || error instanceof KeyTooLong;
}
