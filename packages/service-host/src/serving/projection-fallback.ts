import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { ProjectionProgress } from "@travel-booking/read-models";

/** Real time: a command that took effect is answered after so long, whatever its readers will find. */
const MAX_WAIT_MS = 5_000;

export interface ProjectionFallbackOptions {
  readonly positions: WritePositions;
  readonly progress: ProjectionProgress;
  readonly projections: readonly string[];
  /** The position could not be kept. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Where a write's position can't be kept for its readers, the command is answered only once every read model shows it:
 * then nobody has to wait for it, and a client still reads its own writes.
 */
export function withProjectionFallback(options: ProjectionFallbackOptions): WritePositions {
  const { positions, progress, projections, onProblem } = options;
  return {
    positionOf: (credentialId) => positions.positionOf(credentialId),
    async record(credentialId, position) {
      try {
        await positions.record(credentialId, position);
      } catch (error) {
        onProblem(error);
        await Promise.all(projections.map((name) => progress.waitUntil(name, position, MAX_WAIT_MS)));
      }
    },
  };
}
