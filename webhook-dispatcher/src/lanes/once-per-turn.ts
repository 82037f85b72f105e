/**
 * Asks for something once per turn of the event loop, whoever needs it in that turn. Nobody is answered between two who
 * do: what the first was told is as good for the second.
 */
export class OncePerTurn<Value> {
  readonly #asked = new Map<string, Promise<Value>>();

  get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (this.#asked.size === 0) setImmediate(() => this.#asked.clear());
    const asking = ask();
    this.#asked.set(key, asking);
    return asking;
  }
}
