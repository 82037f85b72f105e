/** Requests one service works on at once; more are refused at once rather than served late (docs/rules.md#overload). */
export const MAX_IN_FLIGHT = 1_000;

/** Counts the requests a service is working on. */
export class InFlightLimit {
  count = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.count >= this.#most;
  }
}
