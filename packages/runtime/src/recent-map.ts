/**
 * A map that forgets entries that were not used lately. It consists of two maps, so that no operation costs more in a
 * full one. When the recent map is full, it replaces the older one, whose entries are dropped.
 */
export class RecentMap<Value> {
  readonly #maxWeight: number;
  readonly #weigh: (value: Value) => number;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #weight = 0;

  /** @param maxWeight of each of the two maps. */
  constructor(maxWeight: number, weigh: (value: Value) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value);
    this.#weight += this.#weigh(value);
  }

  /** Adds weight for an entry that has grown. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  delete(key: string): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  /** If the recent map is full, forgets all entries that were not used since the last time. */
  trim(): void {
    if (this.#weight < this.#maxWeight) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#weight = 0;
  }
}
