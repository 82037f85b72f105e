/** Work besides obligations that falls due by the service's clock. */
export interface ClockDrivenWork {
  /** The soonest moment after `now` at which some of it falls due; undefined: none does. */
  nextDueAt(now: number): Promise<number | undefined>;
  /**
   * Resolves when everything of it that is due by now has been done.
   * @throws Error it can't be.
   */
  drained(): Promise<void>;
}

export const NO_CLOCK_DRIVEN_WORK: ClockDrivenWork = {
  nextDueAt: async () => undefined,
  drained: async () => undefined,
};
