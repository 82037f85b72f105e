import type { Databases, GenerationDatabases } from "./databases.ts";

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

  /** What the live generation of a model is stored in; undefined for an unknown model. */
  ofModel(model: string): GenerationDatabases | undefined {
    let projection = this.#projections.get(model);
    if (projection === undefined) {
      projection = model.slice(0, Math.max(model.indexOf("."), 0));
      this.#projections.set(model, projection);
    }
    const slot = projection === "" ? undefined : this.#databases.live.getBinaryFast(projection)?.readUInt32BE(SLOT);
    return slot === undefined ? undefined : this.#databases.ofSlot(slot);
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
