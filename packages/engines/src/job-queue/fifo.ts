/**
 * First in, first out, each in constant time on average. A `Set` or `Map` that is used so steps over all that was deleted
 * before its first entry.
 */
export class Fifo<Value> {
  #values: Value[] = [];
  #next = 0;

  get size(): number {
    return this.#values.length - this.#next;
  }

  push(value: Value): void {
    this.#values.push(value);
  }

  shift(): Value | undefined {
    if (this.size === 0) return undefined;
    const value = this.#values[this.#next];
    this.#next += 1;
    // No more are moved than were taken since the last time.
    if (2 * this.#next >= this.#values.length) {
      this.#values = this.#values.slice(this.#next);
      this.#next = 0;
    }
    return value;
  }

  clear(): void {
    this.#values = [];
    this.#next = 0;
  }
}
