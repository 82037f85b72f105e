/** The entries of a `GrowingMap`, as they are cloned. */
type Entries<Value> = Pick<GrowingMap<Value>, "layers" | "added">;

/**
 * Values by id, which are only ever added or replaced. A copy costs what was added since the copy before it, however much is in
 * both: what was there is shared.
 */
export class GrowingMap<Value> {
  /** Shared with copies and never changed; each at least twice as large as the next. */
  layers: readonly ReadonlyMap<string, Value>[];
  added = new Map<string, Value>();

  constructor(layers: readonly ReadonlyMap<string, Value>[] = []) {
    this.layers = layers;
  }

  static copyOf<Value>(entries: Entries<Value>): GrowingMap<Value> {
    if (entries.added.size > 0) entries.layers = merged([...entries.layers, entries.added]);
    entries.added = new Map();
    return new GrowingMap(entries.layers);
  }

  get(id: string): Value | undefined {
    const added = this.added.get(id);
    if (added !== undefined || this.layers.length === 0) return added;
    for (let index = this.layers.length - 1; index >= 0; index -= 1) {
      const value = this.layers[index]?.get(id);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  add(id: string, value: Value): void {
    this.added.set(id, value);
  }
}

/** Amortised, each entry is moved as often as the number of entries doubles. */
function merged<Value>(layers: ReadonlyMap<string, Value>[]): readonly ReadonlyMap<string, Value>[] {
  for (;;) {
    const last = layers.at(-1);
    const before = layers.at(-2);
    if (last === undefined || before === undefined || before.size >= 2 * last.size) return layers;
    layers.splice(-2, 2, new Map([...before, ...last]));
  }
}
