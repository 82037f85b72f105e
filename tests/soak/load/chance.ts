/** Choices that follow from a seed. */
export class Chance {
  /** From 0 up to 1. */
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** From 1 on. */
  upTo(most: number): number {
    return 1 + Math.floor(this.random() * most);
  }

  /** Undefined where there is none. */
  oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  /** One of these; each as often as its weight says. */
  weighted<Item>(choices: readonly (readonly [weight: number, item: Item])[]): Item {
    let left = this.random() * choices.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = choices.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    return (chosen ?? choices.at(-1))?.[1] as Item;
  }
}
