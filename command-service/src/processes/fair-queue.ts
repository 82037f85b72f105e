import { Fifo } from "@travel-booking/runtime/fifo";

/** The waiting items of one fairness key. */
interface Line<Item> {
  readonly fairnessKey: string;
  readonly items: Fifo<Item>;
  /** True: an item of this key is taken. The key has to be released before its next turn. */
  taken: boolean;
}

/**
 * Waiting items, taken in turns. The next turn has a key that had none yet, else the key whose last turn ended longest
 * ago. Its oldest item is taken. All operations take constant time.
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

  /** Takes the next item. Its key has no other turn until it is released. Undefined if nothing may be taken. */
  take(): Item | undefined {
    const line = this.#newcomers.shift() ?? this.#others.shift();
    if (line === undefined) return undefined;
    line.taken = true;
    return line.items.shift();
  }

  /** Ends the turn of this key. */
  release(fairnessKey: string): void {
    const line = this.#lines.get(fairnessKey);
    if (line?.taken !== true) return;
    line.taken = false;
    if (line.items.size > 0) this.#others.push(line);
    else this.#lines.delete(fairnessKey);
  }
}
