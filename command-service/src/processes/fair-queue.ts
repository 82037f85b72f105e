import { Fifo } from "@travel-booking/runtime/fifo";

/** The waiting items of one fairness key. */
interface Line<Item> {
  readonly fairnessKey: string;
  readonly items: Fifo<Item>;
  /** An item of it is taken: it has to be released before its next turn. */
  taken: boolean;
}

/**
 * Items that wait, and whose turn it is: the key that has waited longest since its last turn ended, one without a turn so far
 * before all others, and of each key its oldest item. Everything takes constant time.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>();
  readonly #newcomers = new Fifo<Line<Item>>();
  readonly #others = new Fifo<Line<Item>>();

  add(fairnessKey: string, item: Item): void {
    let line = this.#lines.get(fairnessKey);
    if (line === undefined) {
      line = { fairnessKey, items: new Fifo(), taken: false };
      this.#lines.set(fairnessKey, line);
      this.#newcomers.push(line);
    }
    line.items.push(item);
  }

  /** The next item; its key has no other turn before it is released. Undefined if nothing may be taken. */
  take(): Item | undefined {
    const line = this.#newcomers.shift() ?? this.#others.shift();
    if (line === undefined) return undefined;
    line.taken = true;
    return line.items.shift();
  }

  /** The turn of this key has ended. */
  release(fairnessKey: string): void {
    const line = this.#lines.get(fairnessKey);
    if (line?.taken !== true) return;
    line.taken = false;
    if (line.items.size > 0) this.#others.push(line);
    else this.#lines.delete(fairnessKey);
  }
}
