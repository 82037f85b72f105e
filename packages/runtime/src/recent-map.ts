/**
 * A map that forgets what was not used lately. Two maps take turns, so that no operation costs more in a full one: once
 * the recent one weighs as much as it may, the older one is dropped and the recent one takes its place.
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

  /** Something in it weighs so much more by now. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  delete(key: string): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  /** Forgets, if there is too much: all but what was used since it last did. */
  trim(): void {
    if (this.#weight < this.#maxWeight) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#weight = 0;
  }
}
