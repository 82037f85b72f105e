/** Why something has ended: it took longer than it may. */
export class DeadlineExceeded extends Error {
  override readonly name = "OutOfTime";
}

/** Ends what takes longer than it may, or is abandoned. */
export class Deadline {
  readonly #abandoned: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #end: ((reason: unknown) => void) | undefined;
  #ended: { readonly reason: unknown } | undefined;

  /** Milliseconds of real time. `clear` it when nothing is under way any more. */
  constructor(withinMs: number, abandoned: AbortSignal) {
    this.#abandoned = abandoned;
    this.#timer = setTimeout(() => this.#finish(new DeadlineExceeded(`not within ${withinMs} ms`)), withinMs);
    if (abandoned.aborted) this.#finish(abandoned.reason);
    else abandoned.addEventListener("abort", this.#abandon);
  }

  /** @throws OutOfTime it is over; or the signal's reason. */
  check(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /** Who is told when it is over, at once where it is already; whoever was to be told before is not. */
  onEnd(end: (reason: unknown) => void): void {
    this.#end = end;
    if (this.#ended !== undefined) end(this.#ended.reason);
  }

  /** What somebody promises, unless it is over before. */
  race<Value>(promised: Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.onEnd(reject);
    promised.then(resolve, reject);
    return promise;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#end = undefined;
    this.#abandoned.removeEventListener("abort", this.#abandon);
  }

  readonly #abandon = () => this.#finish(this.#abandoned.reason);

  #finish(reason: unknown): void {
    this.#ended ??= { reason };
    this.#end?.(this.#ended.reason);
  }
}
