/** A queue: first in, first out. Both ends in constant time, however many have passed through. */
export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  peek(): Item | undefined {
    return this.#items[this.#first];
  }

  /** Removes and returns the first one; undefined if there is none. */
  shift(): Item | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#first += 1;
    if (2 * this.#first > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
