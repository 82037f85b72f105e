/**
 * Asks for something once per turn of the event loop, whoever needs it in that turn. Nobody is answered between two who
 * do: what the first was told is as good for the second.
 */
export class PerTickCache<Value> {
  readonly #pending = new Map<string, Promise<Value>>();

  get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const asked = this.#pending.get(key);
    if (asked !== undefined) return asked;
    if (this.#pending.size === 0) setImmediate(() => this.#pending.clear());
    const asking = ask();
    this.#pending.set(key, asking);
    return asking;
  }
}
