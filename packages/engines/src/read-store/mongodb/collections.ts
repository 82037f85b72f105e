import type { Collection, Db } from "mongodb";
import type { Stored } from "./stored-document.ts";

/** What the name of a projection is in the name of a model; undefined where it holds none. */
export function projectionOf(model: string): string | undefined {
  const end = model.indexOf(".");
  return end > 0 ? model.slice(0, end) : undefined;
}

/** What a build is called, whatever its number was used for before. */
export function nameOfGeneration(projection: string, id: number): string {
  return `${projection}@${id}`;
}

/** The collections of documents: one for each model of each generation, `<projection>.<model>@<id of the generation>`. */
export class Collections {
  readonly #db: Db;
  readonly #latest = new Map<string, { readonly id: number; readonly collection: Collection<Stored> }>();

  constructor(db: Db) {
    this.#db = db;
  }

  of(model: string, id: number): Collection<Stored> {
    const latest = this.#latest.get(model);
    if (latest?.id === id) return latest.collection;
    const collection = this.#db.collection<Stored>(`${model}@${id}`, { useBigInt64: true });
    this.#latest.set(model, { id, collection });
    return collection;
  }

  /** Names of those that are there. */
  async ofGeneration(projection: string, id: number): Promise<readonly string[]> {
    return (await this.#namesOf(projection)).filter((name) => name.endsWith(`@${id}`));
  }

  /** The highest id of a generation that has collections, known or left behind; 0 where there are none. */
  async lastId(projection: string): Promise<number> {
    const names = await this.#namesOf(projection);
    return Math.max(0, ...names.map((name) => Number(/@(\d+)$/.exec(name)?.[1] ?? 0)));
  }

  async drop(name: string): Promise<void> {
    await this.#db.dropCollection(name);
  }

  async #namesOf(projection: string): Promise<readonly string[]> {
    const all = await this.#db.listCollections({}, { nameOnly: true }).toArray();
    return all.map(({ name }) => name).filter((name) => name.startsWith(`${projection}.`));
  }
}
