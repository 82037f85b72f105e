/** Why something has ended: it took longer than it may. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** Ends what takes longer than it may, or is abandoned. */
export class TimeLimit {
  readonly #abandoned: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #end: ((reason: unknown) => void) | undefined;
  #over: { readonly reason: unknown } | undefined;

  /** Milliseconds of real time. `clear` it when nothing is under way any more. */
  constructor(withinMs: number, abandoned: AbortSignal) {
    this.#abandoned = abandoned;
    this.#timer = setTimeout(() => this.#isOver(new OutOfTime(`not within ${withinMs} ms`)), withinMs);
    if (abandoned.aborted) this.#isOver(abandoned.reason);
    else abandoned.addEventListener("abort", this.#abandon);
  }

  /** @throws OutOfTime it is over; or the signal's reason. */
  check(): void {
    if (this.#over !== undefined) throw this.#over.reason;
  }

  /** Who is told when it is over, at once where it is already; whoever was to be told before is not. */
  whenOver(end: (reason: unknown) => void): void {
    this.#end = end;
    if (this.#over !== undefined) end(this.#over.reason);
  }

  /** What somebody promises, unless it is over before. */
  within<Value>(promised: Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.whenOver(reject);
    promised.then(resolve, reject);
    return promise;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#end = undefined;
    this.#abandoned.removeEventListener("abort", this.#abandon);
  }

  readonly #abandon = () => this.#isOver(this.#abandoned.reason);

  #isOver(reason: unknown): void {
    this.#over ??= { reason };
    this.#end?.(this.#over.reason);
  }
}
