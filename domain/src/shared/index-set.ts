const BITS = 32;

/**
 * A set of indexes from 0 on that finds its next index in logarithmic time. It has a bit per index, above them a bit
 * per non-empty word of 32 bits, and so on up to a single word.
 */
export class IndexSet {
  /** The first level has a bit per index. */
  readonly #levels: number[][] = [[0]];

  add(index: number): void {
    let rest = index;
    for (let level = 0; ; level += 1) {
      const words = this.#level(level);
      const word = Math.floor(rest / BITS);
      while (words.length <= word) words.push(0);
      words[word] = (words[word] as number) | (1 << (rest % BITS));
      if (words.length === 1) return;
      rest = word;
    }
  }

  delete(index: number): void {
    let rest = index;
    for (const words of this.#levels) {
      const word = Math.floor(rest / BITS);
      const left = (words[word] ?? 0) & ~(1 << (rest % BITS));
      if (word < words.length) words[word] = left;
      if (left !== 0) return;
      rest = word;
    }
  }

  /** The smallest index of the set that is not below `from`; undefined if there is none. */
  next(from: number): number | undefined {
    let rest = from;
    for (const [level, words] of this.#levels.entries()) {
      const word = Math.floor(rest / BITS);
      const above = (words[word] ?? 0) & (-1 << (rest % BITS));
      if (word < words.length && above !== 0) return this.#first(level, word * BITS + lowestBit(above));
      rest = word + 1;
    }
    return undefined;
  }

  /** The first index under a bit of a level. */
  #first(level: number, bit: number): number {
    let index = bit;
    for (let below = level - 1; below >= 0; below -= 1)
      index = index * BITS + lowestBit(this.#levels[below]?.[index] ?? 0);
    return index;
  }

  /** A new level represents all the words that the level below has so far. */
  #level(level: number): number[] {
    const known = this.#levels[level];
    if (known !== undefined) return known;
    const words = [0];
    for (const [index, bits] of (this.#levels[level - 1] ?? []).entries()) {
      const word = Math.floor(index / BITS);
      words[word] = (words[word] ?? 0) | (bits === 0 ? 0 : 1 << (index % BITS));
    }
    this.#levels.push(words);
    return words;
  }
}

function lowestBit(word: number): number {
  return BITS - 1 - Math.clz32(word & -word);
}
