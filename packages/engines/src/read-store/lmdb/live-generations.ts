import { ReadStoreUnavailable, type Versions } from "../index.ts";
import type { Databases, GenerationDatabases } from "./databases.ts";

const SLOT = 0;
const NUMBER = 4;
const VERSION = 8;
const LENGTH = 12;

/** Where a model is read from. */
export interface LiveModel {
  readonly databases: GenerationDatabases;
  /** Its name without the projection. */
  readonly model: string;
}

/** The live generations, read from the store at every read, so that all threads switch at once. */
export class LiveGenerations {
  readonly #databases: Databases;
  readonly #versions: Versions | undefined;

  /** @param versions of projections: those that may be read. */
  constructor(databases: Databases, versions?: Versions) {
    this.#databases = databases;
    this.#versions = versions;
  }

  /** Undefined if there is no live generation. @throws ReadStoreUnavailable it is of another version. */
  find(name: string): LiveModel | undefined {
    const end = name.indexOf(".");
    const [projection, model] = end < 0 ? ["", name] : [name.slice(0, end), name.slice(end + 1)];
    const live = projection === "" ? undefined : this.#databases.live.getBinaryFast(projection);
    if (this.#versions !== undefined && live?.readUInt32BE(VERSION) !== this.#versions[projection]) {
      throw new ReadStoreUnavailable(`${projection} is being built`);
    }
    return live && { databases: this.#databases.ofSlot(projection, live.readUInt32BE(SLOT)), model };
  }

  numberOf(projection: string): number | undefined {
    return this.#databases.live.getBinaryFast(projection)?.readUInt32BE(NUMBER);
  }

  /** Inside a transaction. */
  set(
    projection: string,
    generation: number,
    { slot, version }: { readonly slot: number; readonly version: number },
  ): void {
    const value = Buffer.alloc(LENGTH);
    value.writeUInt32BE(slot, SLOT);
    value.writeUInt32BE(generation, NUMBER);
    value.writeUInt32BE(version, VERSION);
    this.#databases.live.putSync(projection, value);
  }
}
