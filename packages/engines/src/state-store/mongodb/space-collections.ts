import type { Collection, Db } from "mongodb";
import type { StoredRecord } from "./stored-record.ts";

/** The collections of a store: one for each space, so that what goes through one space meets nothing of the others. */
export class SpaceCollections {
  readonly #db: Db;
  readonly #prefix: string;
  readonly #indexed = new Map<string, Promise<unknown>>();

  /** @param name what the names of its collections begin with */
  constructor(db: Db, name: string) {
    this.#db = db;
    this.#prefix = `${name}.`;
  }

  of(space: string): Collection<StoredRecord> {
    return this.#db.collection(`${this.#prefix}${encodeURIComponent(space)}`);
  }

  /** Those that any process has written to, with an index by the time their records are forgotten. */
  async all(): Promise<readonly Collection<StoredRecord>[]> {
    const listed = await this.#db.listCollections({}, { nameOnly: true }).toArray();
    const names = listed.map(({ name }) => name).filter((name) => name.startsWith(this.#prefix));
    await Promise.all(names.map((name) => this.#index(name)));
    return names.map((name) => this.#db.collection(name));
  }

  #index(name: string): Promise<unknown> {
    const indexed =
      this.#indexed.get(name) ??
      this.#db
        .collection(name)
        .createIndex({ expiresAt: 1 })
        .catch((error: unknown) => {
          this.#indexed.delete(name);
          throw error;
        });
    this.#indexed.set(name, indexed);
    return indexed;
  }
}
