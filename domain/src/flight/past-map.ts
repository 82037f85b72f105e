/** At least this many of the newest entries are kept, and fewer than four times as many. */
export const KEPT = 8_192;

/** The entries of a `PastMap`, as they are cloned. */
type Entries<Value> = Pick<PastMap<Value>, "layers" | "added">;

/**
 * Values by id, which are only added or replaced. Only the newest of many are kept. A copy shares earlier entries, so
 * it costs only the entries added since the copy before it.
 */
export class PastMap<Value> {
  /** Oldest first. Shared with copies, never changed. Each that is not full is at least twice as large as the next. */
  layers: readonly ReadonlyMap<string, Value>[];
  added = new Map<string, Value>();

  constructor(layers: readonly ReadonlyMap<string, Value>[] = []) {
    this.layers = layers;
  }

  static copyOf<Value>(entries: Entries<Value>): PastMap<Value> {
    if (entries.added.size > 0) entries.layers = lastOf(merged([...entries.layers, entries.added]));
    entries.added = new Map();
    return new PastMap(entries.layers);
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
    if (this.added.size < KEPT) return;
    this.layers = [this.added];
    this.added = new Map();
  }
}

/** Each entry is moved about as often as the number of entries doubles. A full layer stays as it is. */
function merged<Value>(layers: ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value>[] {
  for (;;) {
    const last = layers.at(-1);
    const before = layers.at(-2);
    if (last === undefined || before === undefined) return layers;
    if (before.size >= KEPT || before.size >= 2 * last.size) return layers;
    layers.splice(-2, 2, new Map([...before, ...last]));
  }
}

/** Drops the oldest layer if the newer ones are enough. */
function lastOf<Value>([oldest, ...newer]: ReadonlyMap<string, Value>[]): readonly ReadonlyMap<string, Value>[] {
  if (oldest === undefined) return [];
  return newer.reduce((sum, { size }) => sum + size, 0) < KEPT ? [oldest, ...newer] : newer;
}
