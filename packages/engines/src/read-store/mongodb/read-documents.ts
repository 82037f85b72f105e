import type { Collection, Filter } from "mongodb";
import { forEachConcurrent } from "./concurrency.ts";
import { BULK_READ_TIMEOUT_MS } from "./read-timeouts.ts";
import type { Stored } from "./stored-document.ts";

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
