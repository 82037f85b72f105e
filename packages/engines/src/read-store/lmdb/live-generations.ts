import type { Databases } from "./databases.ts";
import { ModelKeys } from "./keys.ts";

const ID = 0;
const NUMBER = 4;
const LENGTH = 8;

/** Which generation reads go to. Asked of the store at every read, so that a switch is one step for all threads. */
export class LiveGenerations {
  readonly #live: Databases["live"];
  readonly #keys = new Map<string, { readonly projection: string; id: number; keys: ModelKeys }>();

  constructor(live: Databases["live"]) {
    this.#live = live;
  }

  /** The keys of a model in its live generation. */
  keysOf(model: string): ModelKeys | undefined {
    const known = this.#keys.get(model);
    const projection = known?.projection ?? model.slice(0, Math.max(model.indexOf("."), 0));
    const id = projection === "" ? undefined : this.#live.getBinaryFast(projection)?.readUInt32BE(ID);
    if (id === undefined) return undefined;
    if (known === undefined) {
      const keys = new ModelKeys(id, model);
      this.#keys.set(model, { projection, id, keys });
      return keys;
    }
    if (known.id !== id) Object.assign(known, { id, keys: new ModelKeys(id, model) });
    return known.keys;
  }

  numberOf(projection: string): number | undefined {
    return this.#live.getBinaryFast(projection)?.readUInt32BE(NUMBER);
  }

  /** Inside a transaction. */
  set(projection: string, id: number, generation: number): void {
    const value = Buffer.alloc(LENGTH);
    value.writeUInt32BE(id, ID);
    value.writeUInt32BE(generation, NUMBER);
    this.#live.putSync(projection, value);
  }
}
