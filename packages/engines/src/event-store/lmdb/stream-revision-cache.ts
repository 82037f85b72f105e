/** The last revisions of the streams that were asked for lately. */
export class StreamRevisionCache {
  readonly #capacity: number;
  readonly #heads = new Map<string, number>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(stream: string): number | undefined {
    const head = this.#heads.get(stream);
    if (head !== undefined) this.set(stream, head);
    return head;
  }

  set(stream: string, head: number): void {
    this.#heads.delete(stream);
    this.#heads.set(stream, head);
    if (this.#heads.size <= this.#capacity) return;
    for (const oldest of this.#heads.keys()) {
      this.#heads.delete(oldest);
      return;
    }
  }
}
