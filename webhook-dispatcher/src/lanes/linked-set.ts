interface Node<Value> {
  readonly value: Value;
  before: Node<Value> | undefined;
  after: Node<Value> | undefined;
}

/**
 * A set in the order in which its values were added, whose first value is found at once. A `Set` that is used as a queue
 * steps over all the values that were deleted before its first one.
 */
export class LinkedSet<Value> implements Iterable<Value> {
  readonly #nodes = new Map<Value, Node<Value>>();
  #first: Node<Value> | undefined;
  #last: Node<Value> | undefined;

  get size(): number {
    return this.#nodes.size;
  }

  get first(): Value | undefined {
    return this.#first?.value;
  }

  /** Adds a value at the end, unless it is there. */
  add(value: Value): void {
    if (this.#nodes.has(value)) return;
    const node = { value, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = node;
    else this.#last.after = node;
    this.#last = node;
    this.#nodes.set(value, node);
  }

  delete(value: Value): boolean {
    const node = this.#nodes.get(value);
    if (node === undefined) return false;
    this.#nodes.delete(value);
    if (node.before === undefined) this.#first = node.after;
    else node.before.after = node.after;
    if (node.after === undefined) this.#last = node.before;
    else node.after.before = node.before;
    return true;
  }

  *[Symbol.iterator](): IterableIterator<Value> {
    for (let node = this.#first; node !== undefined; node = node.after) yield node.value;
  }
}
