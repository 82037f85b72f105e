/** How far projections have got. */
export interface ProjectionProgress {
  /** Everything up to here is visible to readers. */
  positionOf(projection: string): bigint;
  /** Whether the projection got there within so many milliseconds of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}
