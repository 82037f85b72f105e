import type { Collection, Db } from "mongodb";
import type { Stored } from "./stored-document.ts";

/** A unique name of a build. */
export function nameOfGeneration(projection: string, id: number): string {
  return `${projection}@${id}`;
}

/** The collection of a model's documents in one generation: `<projection>.<model>@<generation id>`. */
export function collectionOf(db: Db, model: string, id: number): Collection<Stored> {
  return db.collection<Stored>(`${model}@${id}`, { useBigInt64: true });
}

/** The existing collections of a generation. */
export async function collectionsOf(db: Db, projection: string, id: number): Promise<readonly Collection[]> {
  const all = await db.collections();
  return all.filter(({ collectionName: name }) => name.startsWith(`${projection}.`) && name.endsWith(`@${id}`));
}

/** Waits until all have settled, and then throws the first failure, if any. */
export async function awaitAll<Result>(work: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
