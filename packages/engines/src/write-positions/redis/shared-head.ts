/** Asks for the head of the log. Callers share a call, but never one that began before they did. */
export class SharedHead {
  readonly #head: () => Promise<bigint>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<bigint> | undefined;

  constructor(head: () => Promise<bigint>) {
    this.#head = head;
  }

  ask(): Promise<bigint> {
    this.#next ??= this.#askAfter(this.#running);
    return this.#next;
  }

  async #askAfter(running: Promise<unknown>): Promise<bigint> {
    await running;
    this.#next = undefined;
    const answer = this.#head();
    this.#running = answer.catch(() => undefined);
    return answer;
  }
}
