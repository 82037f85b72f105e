/** Reads something that changes. Concurrent callers share a read, but never one that began before their call. */
export class SharedRead<Value> {
  readonly #read: () => Promise<Value>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Value> | undefined;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  read(): Promise<Value> {
    this.#next ??= this.#readAfter(this.#running);
    return this.#next;
  }

  async #readAfter(running: Promise<unknown>): Promise<Value> {
    await running;
    this.#next = undefined;
    const answer = this.#read();
    this.#running = answer.catch(() => undefined);
    return answer;
  }
}
