/** Lets one piece of work run at a time, in the order they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
