/** Of everything that ran; a check counts as one test. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export function total(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

export function countsLine({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}
