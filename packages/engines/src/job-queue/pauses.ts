/** Milliseconds of real time between the attempts at a lane that fails. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

export const DEFAULT_PAUSES: Pauses = { first: 1_000, longest: 60_000 };

/** The pause after so many failures in a row; each is twice as long as the one before, up to the longest. */
export function pauseAfter(failures: number, { first, longest }: Pauses): number {
  return Math.min(first * 2 ** Math.min(failures - 1, 30), longest);
}
