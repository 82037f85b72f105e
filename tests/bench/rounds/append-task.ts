/** Appends for so long, with so many clients that each wait for their last append. */
export interface AppendTask {
  /** An empty folder. */
  readonly folder: string;
  readonly seconds: number;
  readonly inFlight: number;
}

export interface AppendResult {
  readonly events: number;
  readonly seconds: number;
}
