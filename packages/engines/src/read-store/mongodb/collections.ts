import type { Collection, Db, Filter } from "mongodb";
import type { Stored } from "./stored-document.ts";

/** A unique name of a build. */
export function nameOfGeneration(projection: string, id: number): string {
  return `${projection}@${id}`;
}

/** The collection of a model's documents in one generation: `<projection>.<model>@<generation id>`. */
export function collectionOf(db: Db, model: string, id: number): Collection<Stored> {
  return db.collection<Stored>(`${model}@${id}`, { useBigInt64: true });
}

/** The existing ones of a generation. */
export async function collectionsOf(db: Db, projection: string, id: number): Promise<readonly Collection[]> {
  const all = await db.collections();
  return all.filter(({ collectionName: name }) => name.startsWith(`${projection}.`) && name.endsWith(`@${id}`));
}

/** Up to so many are read by exact key concurrently: the fastest query of every server. */
const FEW = 8;
/** Maximum of one message. */
const MANY = 1_000;
const MAX_CONCURRENT = FEW;

/** The documents with these ids, unordered. */
export async function readDocuments(
  collection: Collection<Stored>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  const options = { maxTimeMS: BULK_READ_TIMEOUT_MS, batchSize: MANY + 1 };
  const found = new Map<string, Stored>();
  await forEachConcurrent(MAX_CONCURRENT, filtersOf(ids), async (filter) => {
    for (const stored of await collection.find(filter, options).toArray()) found.set(stored._id, stored);
  });
  return found;
}

function* filtersOf(ids: readonly string[]): Generator<Filter<Stored>> {
  if (ids.length <= FEW) for (const id of ids) yield { _id: id };
  else for (let n = 0; n < ids.length; n += MANY) yield { _id: { $in: ids.slice(n, n + MANY) } };
}

/** After so many milliseconds without an answer to a read the server counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;

/** Of a bulk read of the projector, which no request waits for. */
const BULK_READ_TIMEOUT_MS = 25_000;

/** Waits until all have settled; then fails with the first failure, if any. */
export async function awaitAll<Result>(work: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Processes the items, `maxConcurrent` at a time. After a failure no further one is started. */
export async function forEachConcurrent<Item>(
  maxConcurrent: number,
  items: Iterator<Item, unknown, undefined> & Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (const item of items) await work(item);
  };
  await awaitAll(Array.from({ length: maxConcurrent }, worker));
}
