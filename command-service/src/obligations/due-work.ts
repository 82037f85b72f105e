/** Work besides obligations that falls due by the service's clock. */
export interface DueWork {
  /** The soonest moment after `now` at which some of it falls due; undefined: none does. */
  nextDue(now: number): Promise<number | undefined>;
  /**
   * Resolves when everything of it that is due by now has been done.
   * @throws Error it can't be.
   */
  settled(): Promise<void>;
}

export const NOTHING_ELSE: DueWork = {
  nextDue: async () => undefined,
  settled: async () => undefined,
};
