/** Asks for the head of the log. Callers share a call, but never one that began before they did. */
export class CoalescedHead {
  readonly #head: () => Promise<bigint>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<bigint> | undefined;

  constructor(head: () => Promise<bigint>) {
    this.#head = head;
  }

  read(): Promise<bigint> {
    this.#next ??= this.#readAfter(this.#running);
    return this.#next;
  }

  async #readAfter(running: Promise<unknown>): Promise<bigint> {
    await running;
    this.#next = undefined;
    const answer = this.#head();
    this.#running = answer.catch(() => undefined);
    return answer;
  }
}
