export interface OutageObserver {
  /** The server is out of reach, or a subscription was dropped; all that is retried. Called once in each outage. */
  readonly onProblem: (error: Error) => void;
  /** What `onProblem` was called for is over. */
  readonly onRecovered: () => void;
}

/** Tells when an outage begins and when it is over, whoever notices it and however often. */
export class Outage {
  readonly #observer: OutageObserver;
  readonly #affected = new Set<unknown>();

  constructor(observer: OutageObserver) {
    this.#observer = observer;
  }

  /** @param who is affected until `end`: a subscription, or by default the connection. */
  begin(error: Error, who: unknown = this): void {
    const isNew = this.#affected.size === 0;
    this.#affected.add(who);
    if (isNew) this.#observer.onProblem(error);
  }

  end(who: unknown = this): void {
    if (this.#affected.delete(who) && this.#affected.size === 0) this.#observer.onRecovered();
  }

  /** A subscription ends while it is affected: the outage is over with the next answer to the connection. */
  leave(who: unknown): void {
    if (this.#affected.delete(who)) this.#affected.add(this);
  }
}
