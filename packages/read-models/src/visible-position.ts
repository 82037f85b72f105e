import type { ProjectionProgress } from "./projection-progress.ts";
import { PUBLIC_PROJECTION_NAMES } from "./projections.ts";

/**
 * Events are listed and delivered up to here: every read model the public sees shows what they tell of, and none can
 * appear any more at or below it. Only ever advances.
 */
export function visiblePosition(progress: Pick<ProjectionProgress, "positionOf">): bigint {
  let lowest: bigint | undefined;
  for (const name of PUBLIC_PROJECTION_NAMES) {
    const position = progress.positionOf(name);
    if (lowest === undefined || position < lowest) lowest = position;
  }
  return lowest ?? 0n;
}
