export interface OutageObserver {
  /** Called once per outage: the server is out of reach, or a subscription was dropped. Both are retried. */
  readonly onProblem: (error: Error) => void;
  /** Called when the outage is over. */
  readonly onRecovered: () => void;
}

/** Reports the beginning and the end of an outage once, however many calls and subscriptions notice it. */
export class Outage {
  readonly #observer: OutageObserver;
  readonly #affected = new Set<unknown>();

  constructor(observer: OutageObserver) {
    this.#observer = observer;
  }

  /** @param who is affected until `end`: a subscription; by default the connection. */
  begin(error: Error, who: unknown = this): void {
    const isNew = this.#affected.size === 0;
    this.#affected.add(who);
    if (isNew) this.#observer.onProblem(error);
  }

  end(who: unknown = this): void {
    if (this.#affected.delete(who) && this.#affected.size === 0) this.#observer.onRecovered();
  }

  /** For a subscription that ends during an outage. Then the next answer to the connection ends the outage. */
  leave(who: unknown): void {
    if (this.#affected.delete(who)) this.#affected.add(this);
  }
}
