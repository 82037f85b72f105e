/** What goes wrong with one request. */
export type Fault =
  /** The connection is cut: before anything is done, or when all is done but the answer. */
  | "cut before"
  | "cut after"
  /** No answer, and the connection stays open. */
  | "silent before"
  | "silent after"
  /** Waits for `release`: before it is executed (its key is in use meanwhile), or with its answer. */
  | "hold before"
  | "hold after"
  /** 500, kept under the key; the request was not executed, or it was. */
  | "500 before"
  | "500 after"
  /** 500, and nothing is kept or done. */
  | "500 unkept"
  /** Refused before anything is looked at. */
  | "429"
  | "503"
  /** Another request with the key is said to be in progress. */
  | "409"
  /** The account may not charge. */
  | "may not charge"
  /** The key lacks the right. */
  | "403";

/** The faults to come, by operation: `POST /v1/payment_intents/:id/cancel`. */
export class Faults {
  readonly #next = new Map<string, Fault[]>();
  #released = Promise.withResolvers<void>();

  add(operation: string, faults: readonly Fault[]): void {
    this.#next.set(operation, [...(this.#next.get(operation) ?? []), ...faults]);
  }

  take(operation: string): Fault | undefined {
    return this.#next.get(operation)?.shift();
  }

  get released(): Promise<void> {
    return this.#released.promise;
  }

  /** Lets go of what is held. */
  release(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  /** Nothing goes wrong any more. */
  reset(): void {
    this.#next.clear();
    this.release();
  }
}
