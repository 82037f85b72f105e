import type { Databases } from "./databases.ts";
import type { Source } from "./source.ts";

const SLOT = 0;
const NUMBER = 4;
const LENGTH = 8;

/** The live generations, read from the store at every read, so that all threads switch at once. */
export class LiveGenerations {
  readonly #databases: Databases;
  /** By model. */
  readonly #projections = new Map<string, string>();

  constructor(databases: Databases) {
    this.#databases = databases;
  }

  /** Where the live generation of a model is read from; undefined if there is none. */
  sourceOf(model: string): Source | undefined {
    let projection = this.#projections.get(model);
    if (projection === undefined) {
      projection = model.slice(0, Math.max(model.indexOf("."), 0));
      this.#projections.set(model, projection);
    }
    if (projection === "") return undefined;
    const slot = this.#databases.live.getBinaryFast(projection)?.readUInt32BE(SLOT);
    if (slot === undefined) return this.#databases.former?.source(projection, model);
    return this.#databases.ofSlot(slot).source(model);
  }

  numberOf(projection: string): number | undefined {
    return this.#databases.live.getBinaryFast(projection)?.readUInt32BE(NUMBER);
  }

  /** Inside a transaction. */
  set(projection: string, slot: number, generation: number): void {
    const value = Buffer.alloc(LENGTH);
    value.writeUInt32BE(slot, SLOT);
    value.writeUInt32BE(generation, NUMBER);
    this.#databases.live.putSync(projection, value);
  }
}
