/** What the operator is told of a projection. */
export interface ProjectionStatus {
  readonly name: string;
  readonly state: string;
  readonly position: string;
  readonly lag: number;
  readonly error: string | null;
  /** `<stream>@<position>` of an event; of each that is skipped. */
  readonly failedAt: string | null;
  readonly skipped: readonly string[];
}
