import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { ProjectionProgress } from "@travel-booking/read-models";

/** Milliseconds a read waits at most for the credential's own writes (docs/rules.md#own-writes). */
const MAX_WAIT = 5_000;

/**
 * Waits until each of these projections shows everything the credential has written; false where that took too long.
 * Answers at once where nothing is missing.
 */
export function waitForOwnWrites(
  projections: readonly string[],
  credentialId: string,
  positions: WritePositions,
  progress: ProjectionProgress,
): boolean | Promise<boolean> {
  const written = positions.positionOf(credentialId);
  if (written instanceof Promise) return written.then((position) => waitFor(projections, position, progress));
  return waitFor(projections, written, progress);
}

function waitFor(
  projections: readonly string[],
  position: bigint | undefined,
  progress: ProjectionProgress,
): boolean | Promise<boolean> {
  if (position === undefined) return true;
  const behind = projections.filter((projection) => progress.positionOf(projection) < position);
  if (behind.length === 0) return true;
  const waits = behind.map((projection) => progress.waitUntil(projection, position, MAX_WAIT));
  return Promise.all(waits).then((reached) => reached.every(Boolean));
}
