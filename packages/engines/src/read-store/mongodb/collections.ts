import type { Collection, Db, Filter } from "mongodb";
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

/** So many are asked for one by one, all at once: an exact key is what every server finds most quickly. */
const FEW = 8;
/** Asked for in one message, of which some are on their way at once. */
const MANY = 1_000;
const MAX_CONCURRENT = FEW;

/** What is stored under these ids, without order; `fields` names what is wanted of it. */
export async function readDocuments<Part extends Stored | Pick<Stored, "_id" | "position"> = Stored>(
  collection: Collection<Stored>,
  ids: readonly string[],
  fields?: Readonly<Partial<Record<string, 1>>>,
): Promise<ReadonlyMap<string, Part>> {
  const options = { maxTimeMS: BULK_READ_TIMEOUT_MS, batchSize: MANY + 1, ...(fields && { projection: fields }) };
  const found = new Map<string, Part>();
  await forEachConcurrent(MAX_CONCURRENT, filtersOf(ids), async (filter) => {
    for (const stored of await collection.find<Part>(filter, options).toArray()) found.set(stored._id, stored);
  });
  return found;
}

function* filtersOf(ids: readonly string[]): Generator<Filter<Stored>> {
  if (ids.length <= FEW) for (const id of ids) yield { _id: id };
  else for (let n = 0; n < ids.length; n += MANY) yield { _id: { $in: ids.slice(n, n + MANY) } };
}

/** A server answers a read within so many milliseconds, or counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;

/** One of many documents, for whoever writes: nobody waits for its answer. */
const BULK_READ_TIMEOUT_MS = 25_000;

/** Waits for all, whatever becomes of each; then fails with the first failure, if there is one. */
export async function awaitAll<Result>(work: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Works through the items, so many at once. Where one fails, no other is begun. */
export async function forEachConcurrent<Item>(
  most: number,
  items: Iterator<Item, unknown, undefined> & Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (const item of items) await work(item);
  };
  await awaitAll(Array.from({ length: most }, worker));
}
