/** Milliseconds of real time between the attempts at a lane that fails. */
export interface JobBackOff {
  readonly first: number;
  readonly longest: number;
}

export const DEFAULT_JOB_BACK_OFF: JobBackOff = { first: 1_000, longest: 60_000 };

/** The pause after so many failures in a row; each is twice as long as the one before, up to the longest. */
export function backOffDelay(failures: number, { first, longest }: JobBackOff): number {
  return Math.min(first * 2 ** Math.min(failures - 1, 30), longest);
}
