/** What the operator is told of a projection. */
export interface ProjectionStatus {
  readonly name: string;
  readonly state: string;
  readonly position: string;
  readonly lag: number;
  readonly error: string | null;
}
